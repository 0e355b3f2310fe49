import { InstancedMesh, Matrix4, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";

import { Instant, Motion } from "./motion";
import { Marker } from "./scene_data";
import { Layer, Mark } from "./scene_marks";
import { PointReader } from "./scene_points";
import { NodeView } from "./scene_tree";
import { colour } from "./theme";

/** All markers of a kind, drawn at once: a person has dozens. */
export class MarkerCloud implements Mark {
  readonly object: InstancedMesh<SphereGeometry, MeshBasicMaterial>;
  isOn = true;
  private readonly readers: PointReader[];
  private readonly point = new Vector3();
  private readonly place = new Matrix4();

  constructor(readonly layer: Layer, markers: Marker[], motion: Motion, views: NodeView[], radius: number, opacity: number,
              private readonly ink: string) {
    this.readers = markers.map((marker) => new PointReader(marker.point, motion, views));
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity }); // seen through the body
    this.object = new InstancedMesh(new SphereGeometry(radius, 10, 8), material, markers.length);
    this.object.frustumCulled = false;
    this.object.renderOrder = opacity < 0.9 ? 3 : 4;
  }

  update(at: Instant): void {
    this.object.visible = this.isOn;
    if (!this.isOn) return;
    this.readers.forEach((reader, i) => {
      if (reader.read(at, this.point)) this.place.makeTranslation(this.point);
      else this.place.makeScale(0, 0, 0); // it was not seen
      this.object.setMatrixAt(i, this.place);
    });
    this.object.instanceMatrix.needsUpdate = true;
  }

  paint(): void {
    this.object.material.color.set(colour(this.ink));
  }
}
