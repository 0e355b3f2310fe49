// Triangle meshes of robots, as src/aplomb/report/page/page_scene.cpp packs them.

import { BufferGeometry, Float32BufferAttribute } from "three";

import { codesOf } from "./motion";
import { PackedMesh } from "./scene_data";

const crease = Math.cos((38 * Math.PI) / 180); // faces that meet at a larger angle have an edge between them

/** Normals of each face's corners: the mean of the faces around a vertex that are not across an edge. */
function cornerNormals(points: Float32Array, corners: Uint16Array): Float32Array {
  const numFaces = corners.length / 3;
  const faces = new Float32Array(3 * numFaces); // twice the area, along the normal
  const unit = new Float32Array(3 * numFaces);
  const count = new Uint32Array(points.length / 3 + 1);
  for (let face = 0; face < numFaces; ++face) {
    const [a, b, c] = [3 * corners[3 * face]!, 3 * corners[3 * face + 1]!, 3 * corners[3 * face + 2]!];
    const u = [0, 1, 2].map((i) => points[b + i]! - points[a + i]!);
    const v = [0, 1, 2].map((i) => points[c + i]! - points[a + i]!);
    const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    const size = Math.hypot(n[0]!, n[1]!, n[2]!) || 1;
    for (let i = 0; i < 3; ++i) {
      faces[3 * face + i] = n[i]!;
      unit[3 * face + i] = n[i]! / size;
      ++count[corners[3 * face + i]! + 1]!;
    }
  }
  for (let i = 1; i < count.length; ++i) count[i]! += count[i - 1]!;
  const around = new Uint32Array(corners.length); // faces of each vertex, from count[vertex] on
  const filled = new Uint32Array(count.length);
  corners.forEach((vertex, i) => { around[count[vertex]! + filled[vertex]!++] = Math.floor(i / 3); });
  const normals = new Float32Array(3 * corners.length);
  corners.forEach((vertex, i) => {
    const own = 3 * Math.floor(i / 3);
    let [x, y, z] = [0, 0, 0];
    for (let k = count[vertex]!; k < count[vertex + 1]!; ++k) {
      const face = 3 * around[k]!;
      const cosine = unit[own]! * unit[face]! + unit[own + 1]! * unit[face + 1]! + unit[own + 2]! * unit[face + 2]!;
      if (cosine < crease) continue;
      x += faces[face]!;
      y += faces[face + 1]!;
      z += faces[face + 2]!;
    }
    const size = Math.hypot(x, y, z) || 1;
    normals.set([x / size, y / size, z / size], 3 * i);
  });
  return normals;
}

const known = new WeakMap<PackedMesh, BufferGeometry>(); // several scenes of a page show the same robot

export function surfaceOf(mesh: PackedMesh): BufferGeometry {
  const before = known.get(mesh);
  if (before !== undefined) return before;
  const codes = codesOf(mesh.points);
  const points = Float32Array.from(codes, (code, i) => mesh.low[i % 3]! + mesh.step[i % 3]! * code);
  const corners = codesOf(mesh.triangles);
  const positions = new Float32Array(3 * corners.length);
  corners.forEach((vertex, i) => positions.set(points.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(cornerNormals(points, corners), 3));
  known.set(mesh, geometry);
  return geometry;
}
