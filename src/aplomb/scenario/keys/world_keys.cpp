#include "aplomb/scenario/keys/world_keys.hpp"

#include "aplomb/core/error.hpp"
#include "aplomb/core/settings/settings_of.hpp"

namespace aplomb {
namespace {

constexpr double kFar = 100.0;  // [m] largest coordinate or size

Schema friction_schema(std::string_view about) { return schema::number("friction", about).at_least(0).at_most(10); }

SettingsOf<Surface> surface_keys(std::string_view friction_about) {
  return SettingsOf<Surface>()
      .add(&Surface::friction, friction_schema(friction_about))
      .add(schema::number("stiffness_n_per_m", "stiffness of the contact with a foot or a hand, as a physical spring")
               .in("N/m")
               .above(0)
               .at_most(1e7)
               .when_absent("the engine's own contact"),
           [](const YamlView& view, Surface& surface) { surface.spring = Spring{.stiffness = view.number()}; })
      .add(schema::number("damping_n_s_per_m", "damping of that contact")
               .in("N s/m")
               .at_least(0)
               .at_most(1e5)
               .defaults_to(setting::to_text(Spring{}.damping))
               .only_with("stiffness_n_per_m"),
           [](const YamlView& view, Surface& surface) { surface.spring->damping = view.number(); });
}

const SettingsOf<Surface>& floor_keys() {
  static const SettingsOf<Surface> keys = surface_keys("Coulomb coefficient between floor and robot");
  return keys;
}

const SettingsOf<Chair>& chair_keys() {
  static const auto keys =
      SettingsOf<Chair>()
          .add(&Chair::height,
               schema::number("height_m", "height of the seat above the floor").in("m").above(0).at_most(2))
          .add(&Chair::depth, schema::number("depth_m", "depth of the seat, front to back").in("m").above(0).at_most(2))
          .add(&Chair::friction, friction_schema("Coulomb coefficient between chair and robot"))
          .add(&Chair::has_back, schema::boolean("back", "whether it has a back"))
          .add(&Chair::has_arm_rests,
               schema::boolean("arm_rests",
                               "whether it has arm rests: under the hands of the plan, else 0.22 m above the seat"))
          .add(&Chair::forward,
               schema::number("forward_m", "how far it stands ahead of where the robot is to sit; nobody knows of it")
                   .in("m")
                   .at_least(-0.5)
                   .at_most(0.5))
          .add(&Chair::pitch,
               schema::number("pitch_rad", "tilt of the seat, forward and down, about the line under the hips")
                   .in("rad")
                   .at_least(-0.3)
                   .at_most(0.3))
          .add(schema::number("stiffness_n_per_m", "stiffness of a cushion, whose loaded height is height_m")
                   .in("N/m")
                   .at_least(1e3)
                   .at_most(1e7)
                   .when_absent("a hard seat"),
               [](const YamlView& view, Chair& chair) { chair.spring = Spring{.stiffness = view.number()}; })
          .add(schema::number("damping_n_s_per_m", "damping of that cushion")
                   .in("N s/m")
                   .at_least(0)
                   .at_most(1e5)
                   .defaults_to(setting::to_text(Spring{}.damping))
                   .only_with("stiffness_n_per_m"),
               [](const YamlView& view, Chair& chair) { chair.spring->damping = view.number(); });
  return keys;
}

void read_normal(const YamlView& view, Wall& wall) {
  const Eigen::Vector3d normal = view.vector3();
  if (normal.norm() < 1e-6) throw FileError(view.place(), "a wall's normal must not be zero");
  wall.normal = normal.normalized();
}

const SettingsOf<Wall>& wall_keys() {
  static const auto keys =
      SettingsOf<Wall>()
          .add(schema::numbers("position_m", 3, "a point of its surface").in("m").at_least(-kFar).at_most(kFar),
               [](const YamlView& view, Wall& wall) { wall.position = view.vector3(); })
          .add(schema::choice("touches", {"left_hand", "right_hand"},
                              "instead of position_m: the wall is where this hand is at the start"),
               [](const YamlView& view, Wall& wall) { wall.touches = view.text() == "left_hand" ? kLeft : kRight; })
          .add(&Wall::distance, schema::number("distance_m", "distance of that hand from the wall at the start")
                                    .in("m")
                                    .at_least(-1)
                                    .at_most(10)
                                    .only_with("touches"))
          .add(schema::numbers("normal", 3, "out of the wall; its length does not matter").required(), read_normal)
          .add_all(&Wall::surface, surface_keys("Coulomb coefficient"));
  return keys;
}

const SettingsOf<Box>& box_keys() {
  static const auto keys =
      SettingsOf<Box>()
          .add(&Box::position, schema::numbers("position_m", 3, "position of its centre")
                                   .in("m")
                                   .at_least(-kFar)
                                   .at_most(kFar)
                                   .required())
          .add(&Box::size, schema::numbers("size_m", 3, "full edges").in("m").above(0).at_most(kFar).required())
          .add_all(&Box::surface, surface_keys("Coulomb coefficient"));
  return keys;
}

const SettingsOf<SupportMotion>& motion_keys() {
  using Axis = SupportMotion::Axis;
  const auto amplitude = [](const YamlView& view, SupportMotion& motion) { motion.sine.amplitude = view.number(); };
  static const auto keys =
      SettingsOf<SupportMotion>()
          .add(&SupportMotion::axis,
               schema::choice("axis", {"x", "y", "z", "pitch", "roll"}, "along or about which world axis").required(),
               {Axis::x, Axis::y, Axis::z, Axis::pitch, Axis::roll})
          .add(schema::number("amplitude_m", "for x, y, z: half of the stroke").in("m").at_least(0).at_most(10),
               amplitude)
          .add(schema::number("amplitude_rad", "for pitch, roll").in("rad").at_least(0).at_most(1), amplitude)
          .add([](SupportMotion& motion) -> double& { return motion.sine.period_s; },
               schema::number("period_s", "duration of one cycle").in("s").at_least(0.05).at_most(3600).required())
          .add([](SupportMotion& motion) -> double& { return motion.sine.phase; },
               schema::number("phase_rad", "phase at the start").in("rad").at_least(-10).at_most(10))
          .add([](SupportMotion& motion) -> double& { return motion.sine.ramp_s; },
               schema::number("ramp_s", "time over which the amplitude is faded in; 0: at full speed from the start")
                   .in("s")
                   .at_least(0)
                   .at_most(3600)
                   .when_absent("one period"));
  return keys;
}

SupportMotion read_motion(const YamlView& view) {
  SupportMotion motion = motion_keys().read(view);
  if (!view.has(motion.is_turning() ? "amplitude_rad" : "amplitude_m")) {
    throw FileError(view.place(), "a motion along x, y or z has amplitude_m, one about pitch or roll amplitude_rad");
  }
  if (!view.has("ramp_s")) motion.sine.ramp_s = motion.sine.period_s;
  return motion;
}

const SettingsOf<Support>& support_keys() {
  static const auto keys =
      SettingsOf<Support>()
          .add(&Support::carries,
               schema::choice("foot", {"left", "right", "both"}, "which foot stands on it").required(),
               {{true, false}, {false, true}, {true, true}})
          .add(&Support::pitch,
               schema::number("pitch_rad", "tilt forward and down, at rest").in("rad").at_least(-0.7).at_most(0.7))
          .add(&Support::roll,
               schema::number("roll_rad", "tilt to the right and down, at rest").in("rad").at_least(-0.7).at_most(0.7))
          .add(&Support::friction, friction_schema("Coulomb coefficient between support and foot"))
          .add(motion_keys()
                   .schema("motion", "a sinusoid, amplitude sin(2 pi t / period + phase)")
                   .exactly_one_of({"amplitude_m", "amplitude_rad"}),
               [](const YamlView& view, Support& support) { support.motion = read_motion(view); });
  return keys;
}

void read_supports(const YamlView& view, World& world) {
  std::array<bool, 2> is_taken{};
  for (const YamlView& item : view.items()) {
    const Support support = support_keys().read(item);
    for (int side : {kLeft, kRight}) {
      if (support.carries[side] && is_taken[side]) {
        throw FileError(item["foot"].place(), "two supports carry the same foot; give each foot at most one");
      }
      is_taken[side] = is_taken[side] || support.carries[side];
    }
    world.supports.push_back(support);
  }
}

}  // namespace

Schema world_schema() {
  return schema::map(
      "world", "the objects around the robot",
      {floor_keys().schema("floor", "the plane z = 0"),
       chair_keys().schema("chair", "a seat under the hips of the posture at the start"),
       schema::list("walls", "planes",
                    wall_keys().schema("", "a plane to lean on").exactly_one_of({"position_m", "touches"})),
       schema::list("boxes", "obstacles", box_keys().schema("", "a solid box that does not move")),
       schema::list("supports", "tilted or moving ground, at most one under each foot",
                    support_keys().schema("", "a separate ground under one foot, or one plate under both"))});
}

World read_world(const YamlView& view) {
  World world;
  world.floor = floor_keys().read(view["floor"]);
  if (view.has("chair")) world.chair = chair_keys().read(view["chair"]);
  for (const YamlView& item : view["walls"].items()) world.walls.push_back(wall_keys().read(item));
  for (const YamlView& item : view["boxes"].items()) world.boxes.push_back(box_keys().read(item));
  read_supports(view["supports"], world);
  return world;
}

}  // namespace aplomb
