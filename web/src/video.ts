// The replay as a video file, for a talk: what the canvas shows is recorded while the replay plays once.

import { element } from "./dom";

const formats = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const rate = 30; // frames a second
const bitsPerSecond = 6e6;

/** The first format that this browser writes; null where it cannot record a canvas. */
export function videoFormat(canvas: HTMLCanvasElement): string | null {
  if (typeof MediaRecorder === "undefined" || typeof canvas.captureStream !== "function") return null;
  return formats.find((format) => MediaRecorder.isTypeSupported(format)) ?? null;
}

/** Records until the returned function is called; the file is then given to `save`. */
export function recordVideo(canvas: HTMLCanvasElement, format: string, save: (video: Blob) => void): () => void {
  const stream = canvas.captureStream(rate);
  const recorder = new MediaRecorder(stream, { mimeType: format, videoBitsPerSecond: bitsPerSecond });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => { if (data.size > 0) pieces.push(data); });
  recorder.addEventListener("stop", () => {
    for (const track of stream.getTracks()) track.stop();
    save(new Blob(pieces, { type: format.split(";")[0]! }));
  });
  recorder.start();
  return () => recorder.stop();
}

/** Hands a file to the user as a download. */
export function download(file: Blob, name: string): void {
  const link = element("a", { download: name, href: URL.createObjectURL(file) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
