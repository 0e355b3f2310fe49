import { Object3D } from "three";

import { Motion } from "./motion";
import { PackedMesh, Scene } from "./scene_data";
import { Layer, Mark } from "./scene_marks";
import { SceneTree } from "./scene_tree";

const opacity = 0.35;

/** Another run's robot at the same instant, transparent. */
export class Ghost implements Mark {
  readonly layer: Layer = "ghost";
  readonly object: Object3D;
  isOn = true;
  private readonly tree: SceneTree;
  private readonly motion: Motion;

  constructor(scene: Scene, meshes: PackedMesh[]) {
    this.motion = Motion.unpack(scene.motion);
    this.tree = new SceneTree(scene, this.motion, meshes, opacity);
    this.object = this.tree.object;
  }

  update(_: unknown, time: number): void {
    this.object.visible = this.isOn;
    if (this.isOn) this.tree.update(this.motion.locate(time));
  }

  paint(): void {
    this.tree.paint();
  }
}
