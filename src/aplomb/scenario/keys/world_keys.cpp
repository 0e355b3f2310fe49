#include "aplomb/scenario/keys/world_keys.hpp"

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

constexpr double kFar = 100.0;  // [m]

Schema friction_schema(std::string_view of) {
  return schema::number("friction", of).at_least(0).at_most(10).defaults_to("0.8");
}

Schema stiffness_schema() {
  return schema::number("stiffness_n_per_m", "of a foot or a hand on it; makes the contact a physical spring")
      .in("N/m")
      .above(0)
      .at_most(1e7)
      .when_absent("the engine's own contact");
}

Schema damping_schema() {
  return schema::number("damping_n_s_per_m", "of a foot or a hand on it")
      .in("N s/m")
      .at_least(0)
      .at_most(1e5)
      .defaults_to("0")
      .only_with("stiffness_n_per_m");
}

Schema position_schema(std::string_view about) {
  return schema::numbers("position_m", 3, about).in("m").at_least(-kFar).at_most(kFar).required();
}

Schema chair_schema() {
  return schema::map(
      "chair", "a seat under the hips of the posture at the start",
      {schema::number("height_m", "of the seat above the floor").in("m").above(0).at_most(2).defaults_to("0.45"),
       schema::number("depth_m", "of the seat, front to back").in("m").above(0).at_most(2).defaults_to("0.4"),
       friction_schema("Coulomb coefficient between chair and robot"),
       schema::boolean("back", "whether it has a back").defaults_to("false"),
       schema::boolean("arm_rests", "whether it has arm rests: under the hands of the plan, else 0.22 m above the seat")
           .defaults_to("false")});
}

Schema motion_schema() {
  return schema::map(
             "motion", "a sinusoid, amplitude sin(2 pi t / period + phase)",
             {schema::choice("axis", {"x", "y", "z", "pitch", "roll"}, "along or about which world axis").required(),
              schema::number("amplitude_m", "for x, y, z: half of the way").in("m").at_least(0).at_most(10),
              schema::number("amplitude_rad", "for pitch, roll").in("rad").at_least(0).at_most(1),
              schema::number("period_s", "of one cycle").in("s").at_least(0.05).at_most(3600).required(),
              schema::number("phase_rad", "at the start").in("rad").at_least(-10).at_most(10).defaults_to("0"),
              schema::number("ramp_s", "over which the amplitude is faded in; 0: at full speed from the start")
                  .in("s")
                  .at_least(0)
                  .at_most(3600)
                  .when_absent("one period")})
      .exactly_one_of({"amplitude_m", "amplitude_rad"});
}

Schema support_schema() {
  return schema::map("", "ground of its own under a foot, or one plate under both",
                     {schema::choice("foot", {"left", "right", "both"}, "which foot stands on it").required(),
                      schema::number("pitch_rad", "tilt forward and down, at rest")
                          .in("rad")
                          .at_least(-0.7)
                          .at_most(0.7)
                          .defaults_to("0"),
                      schema::number("roll_rad", "tilt to the right and down, at rest")
                          .in("rad")
                          .at_least(-0.7)
                          .at_most(0.7)
                          .defaults_to("0"),
                      friction_schema("Coulomb coefficient between support and foot"), motion_schema()});
}

Surface read_surface(const YamlView& view) {
  Surface surface{.friction = view["friction"].number()};
  if (view.has("stiffness_n_per_m")) {
    surface.spring =
        Spring{.stiffness = view["stiffness_n_per_m"].number(), .damping = view["damping_n_s_per_m"].number()};
  }
  return surface;
}

SupportMotion read_motion(const YamlView& view) {
  static const std::vector<std::string> axes = {"x", "y", "z", "roll", "pitch"};  // as SupportMotion::Axis
  SupportMotion motion;
  const auto axis = std::ranges::find(axes, view["axis"].text()) - axes.begin();
  motion.axis = static_cast<SupportMotion::Axis>(axis);
  const char* amplitude = motion.is_turning() ? "amplitude_rad" : "amplitude_m";
  if (!view.has(amplitude)) {
    throw FileError(view.place(), "a motion along x, y or z has amplitude_m, one about pitch or roll amplitude_rad");
  }
  motion.sine = {.amplitude = view[amplitude].number(),
                 .period_s = view["period_s"].number(),
                 .phase = view["phase_rad"].number(),
                 .ramp_s = view[view.has("ramp_s") ? "ramp_s" : "period_s"].number()};
  return motion;
}

void read_supports(const YamlView& view, World& world) {
  std::array<bool, 2> is_taken{};
  for (const YamlView& item : view.items()) {
    const std::string& foot = item["foot"].text();
    Support support{.carries = {foot != "right", foot != "left"},
                    .pitch = item["pitch_rad"].number(),
                    .roll = item["roll_rad"].number(),
                    .friction = item["friction"].number()};
    for (int side : {kLeft, kRight}) {
      if (support.carries[side] && is_taken[side]) {
        throw FileError(item["foot"].place(), "two supports carry the same foot; give each foot at most one");
      }
      is_taken[side] = is_taken[side] || support.carries[side];
    }
    if (item.has("motion")) support.motion = read_motion(item["motion"]);
    world.supports.push_back(support);
  }
}

}  // namespace

Schema world_schema() {
  const auto wall =
      schema::map("", "a plane to lean on",
                  {schema::numbers("position_m", 3, "a point of its surface").in("m").at_least(-kFar).at_most(kFar),
                   schema::choice("touches", {"left_hand", "right_hand"},
                                  "instead of position_m: the wall is where this hand is at the start"),
                   schema::number("distance_m", "of that hand from the wall, at the start")
                       .in("m")
                       .at_least(-1)
                       .at_most(10)
                       .defaults_to("0")
                       .only_with("touches"),
                   schema::numbers("normal", 3, "out of the wall; its length does not matter").required(),
                   friction_schema("Coulomb coefficient"), stiffness_schema(), damping_schema()})
          .exactly_one_of({"position_m", "touches"});
  const auto box = schema::map("", "a solid box that does not move",
                               {position_schema("of its centre"),
                                schema::numbers("size_m", 3, "full edges").in("m").above(0).at_most(kFar).required(),
                                friction_schema("Coulomb coefficient"), stiffness_schema(), damping_schema()});
  return schema::map(
      "world", "what stands around the robot",
      {schema::map(
           "floor", "the plane z = 0",
           {friction_schema("Coulomb coefficient between floor and robot"), stiffness_schema(), damping_schema()}),
       chair_schema(), schema::list("walls", "planes", wall), schema::list("boxes", "obstacles", box),
       schema::list("supports", "tilted or moving ground, at most one under each foot", support_schema())});
}

World read_world(const YamlView& view) {
  World world;
  world.floor = read_surface(view["floor"]);
  if (view.has("chair")) {
    const YamlView chair = view["chair"];
    world.chair = Chair{.height = chair["height_m"].number(),
                        .depth = chair["depth_m"].number(),
                        .has_back = chair["back"].boolean(),
                        .has_arm_rests = chair["arm_rests"].boolean(),
                        .friction = chair["friction"].number()};
  }
  for (const YamlView& item : view["walls"].items()) {
    const Eigen::Vector3d normal = item["normal"].vector3();
    if (normal.norm() < 1e-6) throw FileError(item["normal"].place(), "a wall's normal must not be zero");
    Wall wall{.normal = normal.normalized(), .surface = read_surface(item)};
    if (item.has("position_m")) {
      wall.position = item["position_m"].vector3();
    } else {
      wall.touches = item["touches"].text() == "left_hand" ? kLeft : kRight;
      wall.distance = item["distance_m"].number();
    }
    world.walls.push_back(wall);
  }
  for (const YamlView& item : view["boxes"].items()) {
    world.boxes.push_back(
        {.position = item["position_m"].vector3(), .size = item["size_m"].vector3(), .surface = read_surface(item)});
  }
  read_supports(view["supports"], world);
  return world;
}

}  // namespace aplomb
