// The scene that src/aplomb/report/page/page_scene.cpp embeds: lengths in metres, forces in newtons, z up. A column is named as in the
// log; an empty name means that there is none.

export type Vector = [number, number, number];
export type Pose = [number, number, number, number, number, number, number]; // position, quaternion x y z w

export interface Shape {
  kind: "box" | "sphere" | "cylinder" | "capsule" | "hull" | "plane" | "mesh";
  pose: Pose;
  size: Vector;
  points: number[]; // hull: x, y, z of each
  mesh?: number; // index into PageData.meshes
  colour?: Vector | null; // red, green, blue; null: that of the node's look; absent in reports of older builds
}

/** Vertices and triangles in 16 bits: coordinate = low + step * code, by axis; corners are indices of vertices. */
export interface PackedMesh {
  low: Vector;
  step: Vector;
  points: string; // base64
  triangles: string;
}

export interface SceneNode {
  name: string;
  look: "robot" | "person" | "ground" | "furniture" | "wall"; // a wall is transparent
  parent: number; // -1: the world
  pose: Pose;
  joint: string;
  axis: Vector;
  is_prismatic: boolean;
  lower: number | null;
  upper: number | null;
  free: string[]; // seven columns of a pose in the world, or seven empty names
  shapes: Shape[];
}

/** Whether it is part of a robot or a person, not of the surroundings. */
export function isBody(node: SceneNode): boolean {
  return node.look === "robot" || node.look === "person";
}

export interface Point {
  node: number; // -1: the world
  constant: Vector;
  columns: string[]; // x, y, z
}

export interface Marker {
  kind: "com" | "com_reference" | "cop" | "zmp" | "marker" | "measured_marker";
  label: string;
  point: Point;
}

export interface Force {
  kind: "contact" | "push";
  label: string;
  point: Point;
  columns: string[];
  is_in_node_axes: boolean;
  friction: number; // 0: unknown
}

export interface Sole {
  node: number;
  corners: Vector[];
  loaded: string; // has a value while the sole carries load
  fault?: string; // has a value while the sole breaks a rule; absent: never judged
}

export interface SceneEvent {
  start: number;
  end: number;
  label: string;
}

/** What happens from an instant on, in one sentence. */
export interface Phase {
  start: number;
  text: string;
}

/** Columns at instants of the log, in 16 bits: low + step * code; 65535 is no value. */
export interface PackedMotion {
  rows: number; // of the log
  time: number[];
  columns: { name: string; unit: string; low: number; step: number }[];
  base64: string;
}

export interface Scene {
  nodes: SceneNode[];
  markers: Marker[];
  forces: Force[];
  soles: Sole[];
  events: SceneEvent[];
  phases?: Phase[]; // in the order of time; absent in reports of older builds
  metres_per_newton: number;
  motion: PackedMotion;
}
