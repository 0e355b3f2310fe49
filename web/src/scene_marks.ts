import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Group, Line, LineBasicMaterial,
  LineDashedMaterial, LineLoop, Mesh, MeshBasicMaterial, Object3D, Quaternion, RingGeometry,
  SphereGeometry, Vector3,
} from "three";

import { MarkerCloud } from "./marker_cloud";
import { Instant, Motion } from "./motion";
import { Force, Marker, Scene, Sole } from "./scene_data";
import { hullFromAbove, PointReader, VectorReader } from "./scene_points";
import { NodeView } from "./scene_tree";
import { colour } from "./theme";

/** An overlay of the scene that can be switched off. */
export interface Mark {
  readonly layer: Layer;
  readonly object: Object3D;
  isOn: boolean;
  update(at: Instant, time: number): void;
  paint(): void;
}

export const layers = {
  com: "CoM and its projection",
  com_reference: "CoM reference",
  cop: "CoP of each foot",
  zmp: "ZMP",
  marker: "markers of the model",
  measured_marker: "measured markers",
  polygon: "support polygon",
  contact: "contact forces",
  cone: "friction cones",
  push: "pushes",
  limit: "joints near a limit",
  fault: "soles that break a rule",
  ghost: "other run",
} as const;
export type Layer = keyof typeof layers;

const palette: Record<Marker["kind"], string> = {
  com: "series-5", com_reference: "text", cop: "series-2", zmp: "series-4", marker: "series-1", measured_marker: "series-2",
};
/** Radius of a point, as a fraction of the scene's length scale, and its opacity. */
const dots: Record<Marker["kind"], { radius: number; opacity: number }> = {
  com: { radius: 0.6, opacity: 0.95 },
  com_reference: { radius: 0.85, opacity: 0.3 }, // a halo around the CoM as long as the two agree
  cop: { radius: 0.45, opacity: 0.95 },
  zmp: { radius: 0.45, opacity: 0.95 },
  marker: { radius: 0.17, opacity: 0.95 },
  measured_marker: { radius: 0.24, opacity: 0.55 }, // a halo around the model's
};
const up = new Vector3(0, 1, 0); // along three's cones and cylinders

/** A ball, a ring or a disc at a point; the CoM's ones have a line down to the ground. */
class MarkerView implements Mark {
  readonly layer: Layer;
  readonly object = new Group();
  isOn = true;
  private readonly solid: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly foot: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;
  private readonly plumb: Line<BufferGeometry, LineDashedMaterial> | null = null;
  private readonly reader: PointReader;
  private readonly point = new Vector3();

  constructor(private readonly marker: Marker, motion: Motion, views: NodeView[], size: number) {
    this.layer = marker.kind;
    this.reader = new PointReader(marker.point, motion, views);
    const isFlat = marker.kind === "cop" || marker.kind === "zmp";
    // Seen through the robot: a CoM inside of the trunk is the point of drawing it.
    const material = () => new MeshBasicMaterial({ depthTest: false, transparent: true, side: DoubleSide });
    const { radius, opacity } = dots[marker.kind];
    const ball = () => new SphereGeometry(size * radius, 16, 12);
    this.solid = new Mesh(isFlat ? new RingGeometry(0, size * radius, 24) : ball(), material());
    this.solid.renderOrder = opacity < 0.9 ? 3 : 4;
    this.solid.material.opacity = opacity;
    this.object.add(this.solid);
    if (marker.kind !== "com") return;
    this.foot = new Mesh(new RingGeometry(size * 0.35, size * 0.55, 32), material());
    this.foot.renderOrder = 2;
    const line = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.plumb = new Line(line, new LineDashedMaterial({ dashSize: 0.02, gapSize: 0.015 }));
    this.plumb.frustumCulled = false;
    this.object.add(this.foot, this.plumb);
  }

  update(at: Instant): void {
    this.object.visible = this.isOn && this.reader.read(at, this.point);
    if (!this.object.visible) return;
    this.solid.position.copy(this.point);
    if (this.layer === "cop") this.reader.turn(this.solid.quaternion);
    if (this.layer === "cop" || this.layer === "zmp") this.solid.position.z += 0.003;
    if (this.foot === null || this.plumb === null) return;
    this.foot.position.set(this.point.x, this.point.y, 0.004);
    const ends = this.plumb.geometry.getAttribute("position");
    ends.setXYZ(0, this.point.x, this.point.y, this.point.z);
    ends.setXYZ(1, this.point.x, this.point.y, 0.004);
    ends.needsUpdate = true;
    this.plumb.computeLineDistances();
  }

  paint(): void {
    const ink = colour(palette[this.marker.kind]);
    for (const part of [this.solid, this.foot, this.plumb]) part?.material.color.set(ink);
  }
}

/** A force arrow: it starts at a contact, and ends where a push acts. */
class ForceView implements Mark {
  readonly layer: Layer;
  readonly object = new Group();
  isOn = true;
  // Seen through the robot: most of a ground force runs inside of the leg.
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.85 });
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  private readonly reader: PointReader;
  private readonly vector: VectorReader;
  private readonly point = new Vector3();
  private readonly value = new Vector3();
  private readonly turn = new Quaternion();

  constructor(private readonly force: Force, motion: Motion, views: NodeView[], private readonly scale: number,
              private readonly thickness: number) {
    this.layer = force.kind;
    this.reader = new PointReader(force.point, motion, views);
    this.vector = new VectorReader(force.columns, [0, 0, 0], motion);
    this.shaft = new Mesh(new CylinderGeometry(thickness, thickness, 1, 12).translate(0, 0.5, 0), this.material);
    this.head = new Mesh(new ConeGeometry(2.4 * thickness, 6 * thickness, 16).translate(0, -3 * thickness, 0), this.material);
    this.shaft.renderOrder = this.head.renderOrder = 2;
    this.object.add(this.shaft, this.head);
  }

  update(at: Instant): void {
    const exists = this.isOn && this.vector.read(at, this.value) && this.reader.read(at, this.point);
    if (exists && this.force.is_in_node_axes) this.value.applyQuaternion(this.reader.turn(this.turn));
    const length = exists ? this.value.length() * this.scale : 0;
    this.object.visible = length > 0.004;
    if (!this.object.visible) return;
    const head = Math.min(6 * this.thickness, length);
    this.shaft.scale.y = Math.max(length - head, 1e-4);
    this.head.scale.y = head / (6 * this.thickness);
    this.head.position.y = length;
    this.value.normalize();
    this.object.quaternion.setFromUnitVectors(up, this.value);
    this.object.position.copy(this.point);
    if (this.force.kind === "push") this.object.position.addScaledVector(this.value, -length);
  }

  paint(): void {
    this.material.color.set(colour(this.force.kind === "push" ? "fail" : "series-3"));
  }
}

/** The friction cone of a contact. */
class ConeView implements Mark {
  readonly layer = "cone";
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  isOn = false;
  private readonly reader: PointReader;
  private readonly point = new Vector3();

  constructor(force: Force, motion: Motion, views: NodeView[], height: number) {
    this.reader = new PointReader(force.point, motion, views);
    const cone = new ConeGeometry(force.friction * height, height, 32, 1, true); // its tip above its base, along y
    cone.rotateX(-Math.PI / 2).translate(0, 0, height / 2); // its tip at the origin, open along z
    this.object = new Mesh(cone, new MeshBasicMaterial({ transparent: true, opacity: 0.18, side: DoubleSide, depthWrite: false }));
  }

  update(at: Instant): void {
    this.object.visible = this.isOn && this.reader.read(at, this.point);
    if (!this.object.visible) return;
    this.object.position.copy(this.point);
    this.reader.turn(this.object.quaternion);
  }

  paint(): void {
    this.object.material.color.set(colour("series-3"));
  }
}

const mostCorners = 16;

class PolygonView implements Mark {
  readonly layer = "polygon";
  readonly object: LineLoop<BufferGeometry, LineBasicMaterial>;
  isOn = true;
  private readonly soles: { node: NodeView; corners: Vector3[]; loaded: VectorReader }[];
  private readonly scratch = new Vector3();

  constructor(soles: Sole[], motion: Motion, views: NodeView[]) {
    this.soles = soles.map((sole) => ({
      node: views[sole.node]!,
      corners: sole.corners.map((corner) => new Vector3(...corner)),
      loaded: new VectorReader([sole.loaded, "", ""], [0, 0, 0], motion),
    }));
    const outline = new BufferGeometry();
    outline.setAttribute("position", new BufferAttribute(new Float32Array(3 * mostCorners), 3));
    this.object = new LineLoop(outline, new LineBasicMaterial({ depthTest: false, transparent: true }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
  }

  update(at: Instant): void {
    const loaded = this.isOn ? this.soles.filter((sole) => sole.loaded.read(at, this.scratch)) : [];
    const corners = loaded.flatMap(({ node, corners }) => corners.map((one) => node.object.localToWorld(one.clone())));
    const hull = hullFromAbove(corners).slice(0, mostCorners);
    this.object.visible = hull.length > 2;
    const position = this.object.geometry.getAttribute("position");
    hull.forEach((corner, i) => position.setXYZ(i, corner.x, corner.y, corner.z + 0.002));
    position.needsUpdate = true;
    this.object.geometry.setDrawRange(0, hull.length);
  }

  paint(): void {
    this.object.material.color.set(colour("series-1"));
  }
}

/** A sole, filled in red while it breaks a rule. */
class FaultView implements Mark {
  readonly layer = "fault";
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  isOn = true;
  private readonly node: NodeView;
  private readonly corners: Vector3[];
  private readonly fault: VectorReader;
  private readonly scratch = new Vector3();

  constructor(sole: Sole, fault: string, motion: Motion, views: NodeView[]) {
    this.node = views[sole.node]!;
    this.corners = sole.corners.map((corner) => new Vector3(...corner));
    this.fault = new VectorReader([fault, "", ""], [0, 0, 0], motion);
    const outline = new BufferGeometry();
    outline.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.corners.length), 3));
    outline.setIndex([0, 1, 2, 0, 2, 3]); // hullFromAbove() goes round
    this.object = new Mesh(outline, new MeshBasicMaterial({ side: DoubleSide, depthTest: false, transparent: true, opacity: 0.75 }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  update(at: Instant): void {
    this.object.visible = this.isOn && this.fault.read(at, this.scratch);
    if (!this.object.visible) return;
    const around = hullFromAbove(this.corners.map((corner) => this.node.object.localToWorld(corner.clone())));
    const position = this.object.geometry.getAttribute("position");
    around.slice(0, 4).forEach((corner, i) => position.setXYZ(i, corner.x, corner.y, corner.z));
    position.needsUpdate = true;
    this.object.geometry.setDrawRange(0, around.length < 4 ? 3 : 6);
  }

  paint(): void {
    this.object.material.color.set(colour("fail"));
  }
}

/** All overlays of a scene; `size` is the robot's length scale [m]. */
export function makeMarks(scene: Scene, motion: Motion, views: NodeView[], size: number): Mark[] {
  const { metres_per_newton: scale } = scene;
  const clouds = (["measured_marker", "marker"] as const).flatMap((kind) => {
    const markers = scene.markers.filter((marker) => marker.kind === kind);
    const { radius, opacity } = dots[kind];
    return markers.length === 0 ? [] : [new MarkerCloud(kind, markers, motion, views, size * radius, opacity, palette[kind])];
  });
  const isSingle = ({ kind }: Marker) => kind !== "marker" && kind !== "measured_marker";
  const marks: Mark[] = [
    ...scene.markers.filter(isSingle).map((marker) => new MarkerView(marker, motion, views, size)), ...clouds,
    ...scene.forces.map((force) => new ForceView(force, motion, views, scale, 0.16 * size)),
    ...scene.forces.filter((force) => force.friction > 0).map((force) => new ConeView(force, motion, views, 4 * size)),
  ];
  if (scene.soles.length > 0) marks.push(new PolygonView(scene.soles, motion, views));
  for (const sole of scene.soles) {
    if (sole.fault !== undefined) marks.push(new FaultView(sole, sole.fault, motion, views));
  }
  for (const mark of marks) mark.paint();
  return marks;
}
