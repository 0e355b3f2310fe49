#include "aplomb/core/error.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/model/link_parameters.hpp"

namespace aplomb {

std::map<std::string, Inertia> link_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias) {
  std::map<std::string, Inertia> links;
  const BodyTree& tree = cad.tree();
  for (const auto& [index, wanted] : body_inertias) {
    const RigidBody& body = tree.bodies[static_cast<std::size_t>(index)];
    // The parameters of rigidly connected links add up: own link = body − all links fixed to it.
    LinkParameters own = to_parameters(wanted);
    for (const LinkPlacement& link : tree.links) {
      if (link.body != index || link.link == body.link) continue;
      own -= to_parameters(transformed(link.T_body_link, cad.urdf().link(link.link).inertia));
    }
    if (is_feasible(own)) {
      links[body.link] = to_inertia(own);
      continue;
    }
    // The fixed links are heavier than the whole body: its inertia goes into its own link, the others become massless.
    links[body.link] = wanted;
    for (const LinkPlacement& link : tree.links) {
      const bool is_other = link.body == index && link.link != body.link;
      if (is_other && cad.urdf().link(link.link).inertia.mass > 0.0) links[link.link] = Inertia{};
    }
  }
  return links;
}

RobotModel with_body_inertias(const RobotModel& cad, const std::map<int, Inertia>& body_inertias) {
  Urdf urdf = cad.urdf();
  for (const auto& [name, inertia] : link_inertias(cad, body_inertias)) {
    for (UrdfLink& link : urdf.links) {
      if (link.name == name) link.inertia = inertia;
    }
  }
  RobotDescription description = cad.description();
  description.frames.clear();  // the frames are already links of the CAD's tree
  return RobotModel(urdf, description);
}

}  // namespace aplomb
