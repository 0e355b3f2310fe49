import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, Float32BufferAttribute, Group, Mesh,
  MeshLambertMaterial, Object3D, PlaneGeometry, Quaternion, SphereGeometry, SRGBColorSpace, Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";

import { Instant, Motion, sample } from "./motion";
import { isBody, PackedMesh, Pose, Scene, SceneNode, Shape } from "./scene_data";
import { surfaceOf } from "./surface";
import { colour } from "./theme";

function place(object: Object3D, [x, y, z, qx, qy, qz, qw]: Pose): void {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw).normalize();
}

/** Three's cylinders stand along y, a URDF's along z. */
function upright(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function hullOf(points: number[]): BufferGeometry {
  const corners: Vector3[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) corners.push(new Vector3(points[i], points[i + 1], points[i + 2]));
  return new ConvexGeometry(corners);
}

function geometryOf({ kind, size: [a, b, c], points, mesh }: Shape, meshes: PackedMesh[]): BufferGeometry {
  switch (kind) {
    case "box": return new BoxGeometry(a, b, c);
    case "sphere": return new SphereGeometry(a, 24, 16);
    case "cylinder": return upright(new CylinderGeometry(a, a, b, 24));
    case "capsule": return upright(new CapsuleGeometry(a, b, 6, 20));
    case "hull": return hullOf(points);
    case "plane": return new PlaneGeometry(a, b);
    case "mesh": return surfaceOf(meshes[mesh ?? 0]!);
  }
}

/** Lines of a grid in the plane, half a metre apart. */
function gridOf(size: number): BufferGeometry {
  const half = size / 2;
  const ends: number[] = [];
  for (let at = -half; at <= half + 1e-9; at += 0.5) ends.push(-half, at, 0, half, at, 0, at, -half, 0, at, half, 0);
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(ends, 3));
}

/** A body with its shapes. Those without a colour of their own share a material, which has that of the body's look; at a
 * joint's limit all are shown in another colour. */
export class NodeView {
  readonly object = new Group();
  readonly material: MeshLambertMaterial;
  readonly grids: BufferGeometry[] = [];
  private readonly own: { material: MeshLambertMaterial; colour: Color }[] = []; // of shapes with a colour of their own
  private readonly joint: Float32Array | null;
  private readonly free: Float32Array[] | null;
  private readonly axis: Vector3;
  private readonly rest: { position: Vector3; turn: Quaternion };
  private readonly turn = new Quaternion();

  constructor(readonly node: SceneNode, motion: Motion, private readonly opacity: number, meshes: PackedMesh[]) {
    place(this.object, node.pose);
    this.rest = { position: this.object.position.clone(), turn: this.object.quaternion.clone() };
    this.axis = new Vector3(...node.axis);
    this.joint = node.joint === "" ? null : motion.column(node.joint);
    const free = node.free.map((name) => motion.column(name));
    this.free = free.every((column) => column !== null) ? (free as Float32Array[]) : null;
    this.material = this.makeMaterial();
    for (const shape of node.shapes) this.addShape(shape, opacity === 1, meshes);
  }

  get jointName(): string {
    return this.node.joint.replace(/^.*position_/, "").replace(/_rad$/, "");
  }

  update(at: Instant): void {
    if (this.free !== null) this.moveFreely(this.free, at);
    if (this.joint === null) return;
    const angle = sample(this.joint, at);
    if (this.node.is_prismatic) {
      this.object.position.copy(this.axis).multiplyScalar(angle).applyQuaternion(this.rest.turn).add(this.rest.position);
    } else {
      this.object.quaternion.copy(this.rest.turn).multiply(this.turn.setFromAxisAngle(this.axis, angle));
    }
  }

  /** How near the joint is to a limit: 0 in the middle of its range, 1 at the limit. */
  strain(at: Instant): number {
    const { lower, upper } = this.node;
    if (this.joint === null || lower === null || upper === null || !(upper > lower)) return 0;
    const angle = sample(this.joint, at);
    return Math.abs(angle - (lower + upper) / 2) / ((upper - lower) / 2);
  }

  private moveFreely(free: Float32Array[], at: Instant): void {
    const [x, y, z] = free.map((column) => sample(column, at));
    this.object.position.set(x!, y!, z!);
    // Between samples the quaternion follows the shorter arc: q and -q are the same rotation.
    const part = (i: number, index: number) => free[3 + i]![index] ?? free[3 + i]![at.index]!;
    this.object.quaternion.set(part(0, at.index), part(1, at.index), part(2, at.index), part(3, at.index));
    if (at.share === 0) return;
    const next = at.index + 1;
    this.turn.set(part(0, next), part(1, next), part(2, next), part(3, next));
    this.object.quaternion.slerp(this.turn, at.share);
  }

  private makeMaterial(): MeshLambertMaterial {
    const { opacity } = this;
    return new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
  }

  private materialOf(shape: Shape): MeshLambertMaterial {
    if (shape.colour === undefined || shape.colour === null || this.opacity < 1) return this.material;
    const material = this.makeMaterial();
    this.own.push({ material, colour: new Color().setRGB(...shape.colour, SRGBColorSpace) });
    return material;
  }

  /** In the colour of its look, or all in one colour that warns. */
  paint(look: Color, warning: Color | null): void {
    this.material.color.copy(warning ?? look);
    for (const { material, colour: usual } of this.own) material.color.copy(warning ?? usual);
  }

  private addShape(shape: Shape, isSolid: boolean, meshes: PackedMesh[]): void {
    const mesh = new Mesh(geometryOf(shape, meshes), this.materialOf(shape));
    place(mesh, shape.pose);
    mesh.castShadow = isSolid && shape.kind !== "plane";
    mesh.receiveShadow = isSolid;
    this.object.add(mesh);
    if (shape.kind === "plane") this.grids.push(gridOf(shape.size[0]));
  }
}

const looks = {
  robot: "scene-robot", person: "scene-person", ground: "scene-ground", furniture: "scene-furniture", wall: "scene-furniture",
} as const;
const wallOpacity = 0.35;
const nearLimit = 0.95; // of half the range, from its middle: within 2.5 % of the range of a limit

/** Everything that has a pose. */
export class SceneTree {
  readonly object = new Group();
  readonly views: NodeView[];
  hasLimitColours = true;
  private limit = new Color();
  private readonly lookColours = new Map<string, Color>();

  /** With an opacity below one it is a ghost: robot or person alone, transparent. */
  constructor(scene: Scene, motion: Motion, meshes: PackedMesh[], private readonly opacity = 1) {
    const nodes = scene.nodes.map((node) => (opacity < 1 && !isBody(node) ? { ...node, shapes: [] } : node));
    this.views = nodes.map((node) => new NodeView(node, motion, node.look === "wall" ? wallOpacity : opacity, meshes));
    this.views.forEach((view) => (this.views[view.node.parent]?.object ?? this.object).add(view.object));
    this.paint();
  }

  paint(): void {
    this.limit = new Color(colour("limit"));
    for (const view of this.views) {
      this.look(view).set(colour(this.opacity < 1 ? "scene-ghost" : looks[view.node.look]));
      view.paint(this.look(view), null);
    }
  }

  update(at: Instant): void {
    for (const view of this.views) {
      view.update(at);
      if (view.node.joint === "" || view.node.look !== "robot" || this.opacity < 1) continue;
      view.paint(this.look(view), this.hasLimitColours && view.strain(at) > nearLimit ? this.limit : null);
    }
    this.object.updateMatrixWorld(true);
  }

  private look(view: NodeView): Color {
    const known = this.lookColours.get(view.node.look) ?? new Color();
    this.lookColours.set(view.node.look, known);
    return known;
  }

  /** The joints that are near a limit. */
  strained(at: Instant): string[] {
    return this.views.filter((view) => view.strain(at) > nearLimit).map((view) => view.jointName);
  }
}
