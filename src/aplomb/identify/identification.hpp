#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/identify/estimate.hpp"
#include "aplomb/identify/model.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {

struct IdentifyOptions {
  enum class Model { automatic, sagittal, spatial };
  Model model = Model::automatic;
  MeasurementNoise noise;
  double holdout_share = 0.1;          ///< fraction of the postures that are held out, as in the paper
  int folds = 10;                      ///< number of folds of the cross-validation
  std::uint64_t seed = 1;              ///< seed of the random splits
  std::optional<double> prior_weight;  ///< γ; absent: chosen by cross-validation
};

/// RMS distance of predicted CoM and measured CoP over postures that were not used for the estimate. [m]
struct CopScore {
  double forward = 0.0;
  std::optional<double> lateral;  ///< absent in the sagittal model
};

/// Scores of the estimates that are compared.
struct CopScores {
  CopScore identified, least_squares, cad, scaled_cad;
};

/// Result of the identification of a robot from postures at rest.
struct Identification {
  std::string model;      ///< "sagittal", "spatial"
  std::string why_model;  ///< reason for an automatic choice, one sentence
  StaticProblem problem;
  std::shared_ptr<const SagittalModel> sagittal;  ///< nullptr for the spatial model; refers to the CAD
  RegressorColumns columns;                       ///< columns of the spatial model; empty for the sagittal one
  WeightChoice choice;                            ///< choice of γ; its lists are empty when γ was given
  Estimate estimate;                              ///< from all postures: the parameters of the corrected URDF
  LeastSquares plain;                             ///< least squares without a prior, from all postures
  double tolerance = 0.0;                         ///< singular values below this fraction of the largest count as zero
  std::vector<std::size_t> held_out;              ///< indices of the held-out postures, ascending
  CopScores holdout, folds;
  std::vector<Eigen::Vector2d> predicted;  ///< CoM by posture, each from an estimate without it [m]
  std::map<int, Inertia> body_inertias;    ///< by body of the CAD's tree; other bodies keep their CAD inertia
  int num_infeasible = 0;                  ///< number of links with physically inconsistent parameters
};

/// Identifies masses and centres of mass from postures at rest. `cad` must outlive the result. Throws Error when there
/// are too few postures, or when they are too similar; the message states the rank.
Identification identify(const RobotModel& cad, const PostureSet& set, const IdentifyOptions& options);

/// A robot whose CAD has been corrected by measured postures (docs/identification.md).
struct IdentifiedRobot {
  std::shared_ptr<const RobotModel> cad;  ///< the model before the correction; `found` refers to it
  PostureSet postures;                    ///< the postures at rest that were used
  Identification found;
  RobotModel model;  ///< the CAD with the identified masses and centres of mass

  operator RobotModel() && { return std::move(model); }  ///< `RobotModel robot = identify(postures, cad);`
};

/// Checks a table of postures (the columns of a posture file, one row per sample) and identifies the robot from it.
/// `source` names the table in errors and reports. Throws Error as read_postures and identify do.
IdentifiedRobot identify(const Log& postures, RobotModel cad, const IdentifyOptions& options = {},
                         const std::string& source = "measured postures");

/// The equations of any postures, measured or hypothetical, in the model of `found`.
StaticProblem make_problem(const RobotModel& cad, const Identification& found, const PostureSet& set,
                           const MeasurementNoise& noise);
/// Matrix Y with m (c_x, c_y) = Y φ in the configuration q of the CAD.
Eigen::MatrixXd moments_at(const Identification& found, const RobotModel& cad, const Eigen::VectorXd& q);

/// Score of the parameters φ on the given postures.
CopScore score(const StaticProblem& problem, const Eigen::VectorXd& phi, std::span<const std::size_t> postures);

/// A copy of the CAD with these body inertias.
RobotModel with_body_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias);
/// Inertia of each link: links fixed to a body keep their CAD inertia, the body's own link gets the remainder.
std::map<std::string, Inertia> link_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias);

}  // namespace aplomb
