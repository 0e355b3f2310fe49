// Reads the sample's log.mcap with the reader of the format's makers (@mcap/core), by its indices and from end to end.
//   node mcap_test.mjs FOLDER_OF_SAMPLES
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";

import { packageForTests } from "./support.mjs";

const { McapIndexedReader, McapStreamReader } = packageForTests("@mcap/core");
const bytes = new Uint8Array(readFileSync(path.join(process.argv[2], "moving", "log.mcap")));
const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
};

const reader = await McapIndexedReader.Initialize({ readable });
const topics = [...reader.channelsById.values()].map((channel) => channel.topic).sort();
assert.deepEqual(topics, ["/joint_states", "/log", "/markers", "/scene", "/tf", "/wrenches"]);
for (const channel of reader.channelsById.values()) {
  assert.equal(channel.messageEncoding, "json");
  const schema = reader.schemasById.get(channel.schemaId);
  assert.equal(schema.encoding, "jsonschema");
  assert.equal(JSON.parse(new TextDecoder().decode(schema.data)).type, "object");
}
assert.equal(reader.schemasById.get([...reader.channelsById.values()].find((one) => one.topic === "/tf").schemaId).name,
  "foxglove.FrameTransforms");

const messages = new Map(topics.map((topic) => [topic, []]));
for await (const message of reader.readMessages()) {
  const { topic } = reader.channelsById.get(message.channelId);
  messages.get(topic).push({ time: message.logTime, content: JSON.parse(new TextDecoder().decode(message.data)) });
}
assert.equal(BigInt([...messages.values()].flat().length), reader.statistics.messageCount);
assert.equal(messages.get("/log").length, 2001);
assert.equal(messages.get("/tf").length, 201);
assert.equal(messages.get("/log")[1000].time, 1_000_000_000n);
assert.equal(messages.get("/log")[1000].content.time_s, 1);

// A squat of 1.2 rad at 1 s: the thigh turns about y by -1.2 rad.
const at = messages.get("/tf").find(({ time }) => time === 1_000_000_000n).content.transforms;
const thigh = at.find((one) => one.child_frame_id === "thigh");
assert.equal(thigh.parent_frame_id, "pelvis");
assert.ok(Math.abs(2 * Math.atan2(thigh.rotation.y, thigh.rotation.w) + 1.2) < 1e-9);
assert.equal(at.find((one) => one.child_frame_id === "pelvis").parent_frame_id, "world");

const shapes = messages.get("/scene")[0].content.entities;
assert.deepEqual(shapes.map((entity) => entity.frame_id), ["pelvis", "thigh", "shank", "foot", "floor"]);
assert.equal(shapes[0].cubes.length + shapes[0].spheres.length, 2);
const push = messages.get("/wrenches").find(({ time }) => time === 600_000_000n).content.forces.find((one) => one.label === "push");
assert.deepEqual(push.force, { x: 80, y: 0, z: 0 });

// A part of the time by the indices alone.
const part = [];
for await (const message of reader.readMessages({ topics: ["/log"], startTime: 500_000_000n, endTime: 600_000_000n })) part.push(message);
assert.equal(part.length, 101);

// Checksums of the chunks, and every record in its order.
const stream = new McapStreamReader({ validateCrcs: true });
stream.append(bytes);
let records = 0;
for (let record = stream.nextRecord(); record !== undefined; record = stream.nextRecord()) ++records;
assert.ok(stream.done() && records > 2000, `${records} records`);
console.log(`ok: ${records} records, ${bytes.length} bytes`);
