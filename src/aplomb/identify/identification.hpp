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
  double holdout_share = 0.1;          ///< of the postures, as in the paper
  int folds = 10;                      ///< of the second score
  std::uint64_t seed = 1;              ///< of the split
  std::optional<double> prior_weight;  ///< γ; absent: chosen by cross-validation
};

/// Root mean square distance of predicted CoM and measured CoP over postures that an estimate has not seen. [m]
struct CopScore {
  double forward = 0.0;
  std::optional<double> lateral;  ///< absent in the sagittal model
};

/// The same for each set of parameters.
struct CopScores {
  CopScore identified, least_squares, cad, scaled_cad;
};

/// All that a posture file says about a robot.
struct Identification {
  std::string model;      ///< "sagittal", "spatial"
  std::string why_model;  ///< one sentence, when it was chosen automatically
  StaticProblem problem;
  std::shared_ptr<const SagittalModel> sagittal;  ///< nullptr for the spatial model; refers to the CAD
  RegressorColumns columns;                       ///< of the spatial model
  WeightChoice choice;                            ///< of γ; its lists are empty when γ was given
  Estimate estimate;                              ///< of all postures: what the corrected URDF holds
  LeastSquares plain;                             ///< of all postures
  double tolerance = 0.0;                         ///< singular values below this share of the largest count as zero
  std::vector<std::size_t> held_out;              ///< postures of the 90/10 split, ascending
  CopScores holdout, folds;
  std::vector<Eigen::Vector2d> predicted;  ///< CoM by posture, each from an estimate that has not seen it [m]
  std::map<int, Inertia> body_inertias;    ///< by body of the CAD's tree; bodies that are absent keep the CAD's
  int num_infeasible = 0;
};

/// Identifies. Throws Error when there are too few postures or they are too much alike, with the rank report.
Identification identify(const RobotModel& cad, const PostureSet& set, const IdentifyOptions& options);

/// A robot whose CAD has been corrected by measured postures (docs/identification.md).
struct IdentifiedRobot {
  std::shared_ptr<const RobotModel> cad;  ///< the model before the correction; `found` refers to it
  PostureSet postures;                    ///< the postures at rest that were used
  Identification found;
  RobotModel model;  ///< the CAD with the identified masses and centres of mass

  operator RobotModel() && { return std::move(model); }  ///< `RobotModel robot = identify(postures, cad);`
};

/// Checks a table of postures (the columns of a posture file, one row a sample) and identifies the robot from it.
/// `source` names the table in errors and reports. Throws Error as read_postures and identify do.
IdentifiedRobot identify(const Log& postures, RobotModel cad, const IdentifyOptions& options = {},
                         const std::string& source = "measured postures");

/// The model of the file's postures as linear algebra: also for postures that are only thought of.
StaticProblem make_problem(const RobotModel& cad, const Identification& found, const PostureSet& set,
                           const MeasurementNoise& noise);
/// Rows with m (c_x, c_y) = rows φ in the configuration q of the CAD.
Eigen::MatrixXd moments_at(const Identification& found, const RobotModel& cad, const Eigen::VectorXd& q);

/// Scores parameters on some postures.
CopScore score(const StaticProblem& problem, const Eigen::VectorXd& phi, std::span<const std::size_t> postures);

/// A copy of the CAD's model in memory with these body inertias.
RobotModel with_body_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias);
/// Each body's inertia given to its links: those fixed to it keep their CAD's, its own link gets the rest.
std::map<std::string, Inertia> link_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias);

}  // namespace aplomb
