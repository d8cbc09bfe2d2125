import { Box, Button, FileButton, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog } from '../../shared/dialog.js';
import { type LabelCode, parseLabelCode, readCode } from './read-code.js';

/** Reads the code of a label with the camera, or from a photo where the browser offers no camera. */
export function ScanDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [message, setMessage] = useState<string>();
  const [foreign, setForeign] = useState<LabelCode>();
  // Instead of the dialog, which is an entry of the history.
  const open = (id: bigint) => void navigate({ to: '/pets/$petId', params: { petId: String(id) }, replace: true });
  const take = (text: string | undefined) => {
    const code = parseLabelCode(text ?? '');
    if (code?.origin === location.origin) open(code.id);
    else if (code) setForeign(code);
    else
      setMessage(text === undefined ? 'No code found. Take the photo closer.' : 'This is not the code of an animal.');
  };
  const { video, error } = useCamera(hasCamera() && !foreign, take);
  return (
    <Dialog title="Scan a label" onClose={onClose}>
      {hasCamera() && error === undefined && (
        <Box component="video" ref={video} bdrs="md" style={cameraStyle} muted playsInline aria-label="Camera" />
      )}
      <p role="status">{foreign ? '' : (message ?? hint(error))}</p>
      {foreign ? (
        <ForeignCode code={foreign} onOpen={() => open(foreign.id)} onRefuse={() => setForeign(undefined)} />
      ) : (
        <PhotoButton onText={take} />
      )}
    </Dialog>
  );
}

const cameraStyle = { aspectRatio: '4 / 3', width: '100%', objectFit: 'cover', background: '#000' } as const;

function hint(error: unknown): string {
  if (error !== undefined)
    return 'Petstore cannot use the camera. Allow it in the settings of the browser, or take a photo.';
  if (hasCamera()) return 'Hold the code of a label in front of the camera.';
  return 'This browser allows the camera only on a secure address (https). Take a photo of the code.';
}

interface ForeignCodeProps {
  code: LabelCode;
  onOpen: () => void;
  onRefuse: () => void;
}

function ForeignCode({ code: { id, origin }, onOpen, onRefuse }: ForeignCodeProps) {
  return (
    <Stack gap="xs" role="alert">
      <p>
        This label was printed at another address, <b>{origin}</b>. It may belong to another store.
      </p>
      <Group gap="xs">
        <Button onClick={onOpen}>{`Use number ${id} of this store`}</Button>
        <Button variant="default" onClick={onRefuse}>
          Scan another label
        </Button>
      </Group>
    </Stack>
  );
}

/** On a phone, it opens the camera app. */
function PhotoButton({ onText }: { onText: (text: string | undefined) => void }) {
  const reset = useRef<() => void>(null);
  const read = async (file: File | null) => {
    if (file)
      onText(
        await createImageBitmap(file)
          .then(readCode)
          .catch(() => undefined),
      );
    reset.current?.();
  };
  const label = 'Take or choose a photo';
  return (
    <FileButton
      accept="image/*"
      capture="environment"
      resetRef={reset}
      inputProps={{ 'aria-label': label }}
      onChange={(file) => void read(file)}
    >
      {(props) => (
        <Button variant="default" mr="auto" {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}

/** Browsers offer the camera on https and on this computer only. */
const hasCamera = () => 'mediaDevices' in navigator;

/** Shows the camera in a video element, and reports the text of each code that it sees. */
function useCamera(isOn: boolean, onText: (text: string) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const [error, setError] = useState<unknown>();
  const report = useEffectEvent(onText);
  useEffect(() => {
    if (!isOn || !video.current) return undefined;
    const controller = new AbortController();
    watch(video.current, controller.signal, (text) => report(text)).catch((reason: unknown) => {
      if (!controller.signal.aborted) setError(reason);
    });
    return () => controller.abort();
  }, [isOn]);
  return { video, error };
}

const intervalMs = 150;

async function watch(video: HTMLVideoElement, signal: AbortSignal, onText: (text: string) => void): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return stop();
  signal.addEventListener('abort', stop);
  try {
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const text = await readCode(video);
      if (text !== undefined && !signal.aborted) onText(text);
      await new Promise((resolve) => {
        setTimeout(resolve, intervalMs);
      });
    }
  } finally {
    stop();
  }
}
