import { Object3D, Quaternion, Vector3 } from "three";

import { Instant, Motion, sample } from "./motion";
import { Point } from "./scene_data";
import { NodeView } from "./scene_tree";

/** Three columns, or constants in their place. */
export class VectorReader {
  private readonly columns: (Float32Array | null)[];

  constructor(names: string[], private readonly constant: [number, number, number], motion: Motion) {
    this.columns = names.map((name) => (name === "" ? null : motion.column(name)));
  }

  /** False when one of them has no value at this instant. */
  read(at: Instant, into: Vector3): boolean {
    into.set(this.value(0, at), this.value(1, at), this.value(2, at));
    return !Number.isNaN(into.x + into.y + into.z);
  }

  private value(axis: 0 | 1 | 2, at: Instant): number {
    const column = this.columns[axis] ?? null;
    return column === null ? this.constant[axis] : sample(column, at);
  }
}

/** A point of the scene, in the world. */
export class PointReader {
  private readonly vector: VectorReader;
  private readonly node: Object3D | null;

  constructor(point: Point, motion: Motion, views: NodeView[]) {
    this.vector = new VectorReader(point.columns, point.constant, motion);
    this.node = views[point.node]?.object ?? null;
  }

  /** After the nodes have been placed (SceneTree.update); false when the point does not exist at this instant. */
  read(at: Instant, into: Vector3): boolean {
    const exists = this.vector.read(at, into);
    if (exists && this.node !== null) into.applyMatrix4(this.node.matrixWorld);
    return exists;
  }

  /** Orientation of the node; identity for the world. */
  turn(into: Quaternion): Quaternion {
    return this.node === null ? into.identity() : this.node.getWorldQuaternion(into);
  }
}

/** The convex hull in the horizontal plane, counter-clockwise (Andrew's monotone chain); each point keeps its height. */
export function hullFromAbove(points: Vector3[]): Vector3[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const half = (ordered: Vector3[]): Vector3[] => {
    const chain: Vector3[] = [];
    for (const point of ordered) {
      while (chain.length >= 2) {
        const [a, b] = [chain[chain.length - 2]!, chain[chain.length - 1]!];
        if ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 1e-12) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
