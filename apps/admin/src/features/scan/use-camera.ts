import { useEffect, useRef, useState } from 'react';
import { createReader } from './read-code.js';

/** Browsers offer the camera on https and on this computer only. */
export const hasCamera = () => 'mediaDevices' in navigator;

const intervalMs = 150;

/** Shows the camera in a video element, and reports the text of each code that it sees. */
export function useCamera(isOn: boolean, onText: (text: string) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const report = useRef(onText);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    report.current = onText;
  });
  useEffect(() => {
    if (!isOn || !video.current) return undefined;
    const controller = new AbortController();
    watch(video.current, controller.signal, (text) => report.current(text)).catch((reason: unknown) => {
      if (!controller.signal.aborted) setError(reason);
    });
    return () => controller.abort();
  }, [isOn]);
  return { video, error };
}

async function watch(video: HTMLVideoElement, signal: AbortSignal, onText: (text: string) => void): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return stop();
  signal.addEventListener('abort', stop);
  video.srcObject = stream;
  await video.play();
  const read = await createReader();
  while (!signal.aborted) {
    const text = await read(video);
    if (text !== undefined && !signal.aborted) onText(text);
    await new Promise((resolve) => {
      setTimeout(resolve, intervalMs);
    });
  }
}

/** Reads the code in a photo. */
export async function readPhoto(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file);
  const read = await createReader();
  return read(picture);
}
