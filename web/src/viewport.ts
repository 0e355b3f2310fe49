import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments, PerspectiveCamera,
  Scene as World, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { element } from "./dom";
import { isBody } from "./scene_data";
import { NodeView, SceneTree } from "./scene_tree";
import { colour } from "./theme";

/** Position of the camera relative to its target. The robot faces x, its left is y. */
const views = {
  "3-D": new Vector3(0.72, -0.62, 0.3),
  front: new Vector3(1, 0, 0.02),
  side: new Vector3(0, -1, 0.02),
  top: new Vector3(-0.001, 0, 1),
} as const;
export type View = keyof typeof views;
export const viewNames = Object.keys(views) as View[];

/** A WebGL canvas, or null where the browser has no WebGL. */
export function makeCanvas(): { canvas: HTMLCanvasElement; context: WebGL2RenderingContext } | null {
  const canvas = element("canvas", { tabindex: 0, role: "img" });
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false });
  return context === null ? null : { canvas, context };
}

/** The picture: lights, floor, camera. Drawn only when something changed. */
export class Viewport {
  readonly canvas: HTMLCanvasElement;
  readonly world = new World();
  isFollowing = true;
  private readonly renderer: WebGLRenderer;
  private readonly camera = new PerspectiveCamera(32, 16 / 9, 0.05, 60);
  private readonly controls: OrbitControls;
  private readonly sun = new DirectionalLight(0xffffff, 1.9);
  private readonly sky = new HemisphereLight(0xffffff, 0x8d8d8d, 1.3);
  private readonly grids: LineSegments[] = [];
  private readonly followed = new Vector3();
  private readonly extent = new Box3(); // of the bodies, relative to the followed body
  private isDue = false;
  private hasPicture = false;

  constructor({ canvas, context }: { canvas: HTMLCanvasElement; context: WebGL2RenderingContext },
              private readonly tree: SceneTree, private readonly root: NodeView | null) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, context });
    this.camera.up.set(0, 0, 1);
    this.world.add(tree.object, this.sky, new AmbientLight(0xffffff, 0.25), this.sun, this.sun.target);
    this.addGrids();
    this.makeShadows();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.canvas.style.touchAction = "pan-y"; // a finger that moves up or down scrolls the page; sideways it rotates
    this.controls.enableZoom = false; // the wheel scrolls the page until the user clicks into the picture
    this.canvas.addEventListener("pointerdown", () => this.canvas.focus());
    this.canvas.addEventListener("focus", () => { this.controls.enableZoom = true; });
    this.canvas.addEventListener("blur", () => { this.controls.enableZoom = false; });
    this.controls.addEventListener("change", () => this.requestRender());
    this.paint();
  }

  /** Extends the camera's view by robot and person in their current posture. */
  include(): void {
    const box = new Box3();
    for (const view of this.tree.views) if (isBody(view.node)) box.expandByObject(view.object);
    if (!box.isEmpty()) this.extent.union(box.translate(this.place().negate()));
  }

  /** Around the current place of the followed body. */
  bounds(): Box3 {
    const nothing = new Box3(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
    return (this.extent.isEmpty() ? nothing : this.extent.clone()).translate(this.place());
  }

  look(view: View): void {
    const box = this.bounds();
    const centre = box.getCenter(new Vector3());
    const radius = 0.5 * box.getSize(new Vector3()).length() * 1.12;
    const narrowest = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin((this.camera.fov * Math.PI) / 360) / narrowest;
    this.controls.target.copy(centre);
    this.camera.position.copy(views[view]).normalize().multiplyScalar(distance).add(centre);
    this.controls.update();
    this.remember();
    this.requestRender();
  }

  /** After the scene has moved. */
  moved(): void {
    if (this.isFollowing && this.root !== null) {
      const step = this.root.object.getWorldPosition(new Vector3()).sub(this.followed).setZ(0);
      this.controls.target.add(step);
      this.camera.position.add(step);
      this.camera.updateMatrixWorld();
    }
    this.remember();
    this.requestRender();
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.requestRender();
  }

  paint(): void {
    this.world.background = new Color(colour("scene-sky"));
    for (const grid of this.grids) (grid.material as LineBasicMaterial).color.set(colour("scene-grid"));
    this.requestRender();
  }

  requestRender(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => this.render());
  }

  render(): void {
    this.isDue = false;
    this.renderer.render(this.world, this.camera);
    if (!this.hasPicture) performance.mark("first-picture");
    this.hasPicture = true;
  }

  /** Where on the floor the followed body is. */
  private place(): Vector3 {
    return (this.root?.object.getWorldPosition(new Vector3()) ?? new Vector3()).setZ(0);
  }

  private remember(): void {
    this.root?.object.getWorldPosition(this.followed);
    this.sun.target.position.copy(this.followed);
    this.sun.position.copy(this.followed).add(new Vector3(1.2, -1.6, 3.2));
    this.sun.target.updateMatrixWorld();
  }

  private addGrids(): void {
    for (const view of this.tree.views) {
      for (const grid of view.grids) {
        const lines = new LineSegments(grid, new LineBasicMaterial());
        lines.position.z = 0.001;
        view.object.add(lines);
        this.grids.push(lines);
      }
    }
  }

  private makeShadows(): void {
    this.renderer.shadowMap.enabled = true;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0015;
    this.sun.shadow.normalBias = 0.01;
    Object.assign(this.sun.shadow.camera, { left: -1.6, right: 1.6, top: 1.6, bottom: -1.6, near: 0.5, far: 7 });
  }
}
