#pragma once

#include <Eigen/Core>
#include <vector>

#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {

/// Divergence of the links from their CAD: the sum over links of D(P‖P₀) = tr(P₀⁻¹P) − log det(P₀⁻¹P) − 4 of their
/// pseudo-inertias (Lee, Wensing, Park 2020). It is convex, independent of units, and infinite at the border of the
/// physically consistent set, so that a minimiser of it together with a data term is feasible by construction.
///
/// At rest only m and h act. The best second moment for given m and h is the CAD's own about the centre of mass,
/// S₀, which leaves  D(m, h) = eᵀS₀⁻¹e / m + m/m₀ − log(m/m₀) − 1,  e = h − m c₀,  in the plane or in space.
class EntropicPrior {
 public:
  /// Adds a link at rest: m and h (3) are entries `first` ... `first + 3` of φ.
  void add_static(int first, const Inertia& cad);
  /// Adds a planar link: m, hx, hz are the entries of φ from `first` on; S₀ and c₀ are those of the x-z plane.
  void add_planar(int first, double mass, const Eigen::Vector2d& com, const Eigen::Matrix2d& second_moment);
  /// Adds a moving link: its ten parameters are the entries of φ from `first` on.
  void add_full(int first, const Inertia& cad);

  bool is_feasible(const Eigen::VectorXd& phi) const;
  double value(const Eigen::VectorXd& phi) const;  ///< infinite outside the feasible set
  /// Adds `weight` times the gradient and the Hessian of value().
  void add_derivatives(const Eigen::VectorXd& phi, double weight, Eigen::VectorXd& gradient,
                       Eigen::MatrixXd& hessian) const;
  std::size_t num_links() const { return blocks_.size(); }
  int num_infeasible(const Eigen::VectorXd& phi) const;  ///< number of links with physically inconsistent parameters

 private:
  struct Block {
    int first = 0;
    double mass = 0.0;
    Eigen::VectorXd com;          ///< c₀, 2 or 3 numbers; empty for a full block
    Eigen::MatrixXd S_inverse;    ///< S₀⁻¹
    Eigen::MatrixXd to_whitened;  ///< full: ten parameters to the 16 entries of Q = L⁻¹ P L⁻ᵀ
  };
  double value_of(const Block& block, const Eigen::VectorXd& phi) const;
  std::vector<Block> blocks_;
};

}  // namespace aplomb
