import { Box, Button, Group, Stack } from '@mantine/core';
import { createStore, useSelector } from '@tanstack/react-store';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../shared/api.js';
import { Dialog } from '../../shared/dialog.js';
import { announce } from '../../shared/focus.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { ButtonLink, PetLink } from '../../shared/links.js';
import { onSessionChange } from '../../shared/session.js';
import { createReader, type LabelCode, parseLabelCode } from './read-code.js';

/** The animals of several scans in a row. They stay while the person looks at one of them. */
const scanned = createStore<{ isOn: boolean; ids: readonly bigint[] }>({ isOn: false, ids: [] });
onSessionChange(() => scanned.setState(() => ({ isOn: false, ids: [] })));

/** Reads the codes of labels with the camera, or from photos where the browser offers no camera. */
export function ScanDialog({ onClose }: { onClose: () => void }) {
  const { isOn: isSeveral, ids } = useSelector(scanned);
  const { message, question, take, answer } = useScans();
  const { video, error } = useCamera(hasCamera() && !question, take);
  return (
    <Dialog title="Scan a label" onClose={onClose}>
      {hasCamera() && error === undefined && (
        <Box
          component="video"
          ref={video}
          w="100%"
          bg="#000"
          bdrs="md"
          style={cameraStyle}
          muted
          playsInline
          aria-label="Camera"
        />
      )}
      <p role="status">{question ? '' : (message ?? hint(error))}</p>
      {question ? <ForeignCode code={question} onAnswer={answer} /> : <PhotoField onText={take} />}
      <label className="check">
        <input
          type="checkbox"
          checked={isSeveral}
          onChange={({ currentTarget: { checked } }) => scanned.setState((state) => ({ ...state, isOn: checked }))}
        />
        Scan several labels
      </label>
      {isSeveral && ids.length > 0 && <ScannedPets ids={ids} />}
    </Dialog>
  );
}

const cameraStyle = { aspectRatio: '4 / 3', objectFit: 'cover' } as const;

function hint(error: unknown): string {
  if (error !== undefined)
    return 'Petstore cannot use the camera. Allow it in the settings of the browser, or take a photo.';
  if (hasCamera()) return 'Hold the code of a label in front of the camera.';
  return 'This browser allows the camera only on a secure address (https). Take a photo of the code.';
}

/** Opens the animal of a code, or collects it. A code of another address is a question. */
function useScans() {
  const navigate = useNavigate();
  const [message, setMessage] = useState<string>();
  const [question, setQuestion] = useState<LabelCode>();
  const open = (id: bigint) => {
    const { isOn, ids } = scanned.state;
    if (!isOn) {
      // Instead of the dialog, which is an entry of the history.
      void navigate({ to: '/pets/$petId', params: { petId: String(id) }, replace: true });
    } else if (!ids.includes(id)) {
      scanned.setState((state) => ({ ...state, ids: [...state.ids, id] }));
      setMessage(`Scanned number ${id}`);
    }
  };
  const take = (text: string | undefined) => {
    const code = text === undefined ? undefined : parseLabelCode(text);
    if (!code)
      setMessage(text === undefined ? 'No code found. Take the photo closer.' : 'This is not the code of an animal.');
    else if (code.origin === location.origin) open(code.id);
    else setQuestion(code);
  };
  const answer = (isOpened: boolean) => {
    setQuestion(undefined);
    if (question && isOpened) open(question.id);
  };
  return { message, question, take, answer };
}

function ForeignCode({ code: { id, origin }, onAnswer }: { code: LabelCode; onAnswer: (isOpened: boolean) => void }) {
  return (
    <Stack gap="xs" role="alert">
      <p>
        This label was printed at another address, <b>{origin}</b>. It may belong to another store.
      </p>
      <Group gap="xs">
        <Button onClick={() => onAnswer(true)}>{`Use number ${id} of this store`}</Button>
        <Button variant="default" onClick={() => onAnswer(false)}>
          Scan another label
        </Button>
      </Group>
    </Stack>
  );
}

/** On a phone, it opens the camera app. */
function PhotoField({ onText }: { onText: (text: string | undefined) => void }) {
  const read = async (file: File | undefined) => {
    if (file) onText(await readPhoto(file).catch(() => undefined));
  };
  return (
    <Stack component="label" gap="xs">
      Take or choose a photo of the code
      <Box
        component="input"
        mih={44}
        type="file"
        accept="image/*"
        capture="environment"
        onChange={({ currentTarget }) => {
          void read(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </Stack>
  );
}

function ScannedPets({ ids }: { ids: readonly bigint[] }) {
  const numbers = ids.map(String);
  return (
    <>
      <Stack component="ul" gap={4} aria-label="Scanned animals">
        {ids.toReversed().map((id) => (
          <ScannedPet key={String(id)} id={id} />
        ))}
      </Stack>
      <Group gap="xs">
        <ButtonLink to="/labels" search={{ numbers: numbers.join(', ') }} leftSection={<PrinterIcon />} replace>
          {`Print ${formatCount(ids.length)} ${ids.length === 1 ? 'label' : 'labels'}`}
        </ButtonLink>
        <Button
          variant="default"
          onClick={() => {
            scanned.setState((state) => ({ ...state, ids: [] }));
            announce('The list of scanned animals is empty');
          }}
        >
          Clear the list
        </Button>
      </Group>
    </>
  );
}

function ScannedPet({ id }: { id: bigint }) {
  const { data: pet, isPending } = useQuery({
    queryKey: ['scanned', String(id)],
    queryFn: async ({ signal }) => (await callApi((client) => client.getPet(id, { signal }), signal)) ?? null,
    staleTime: Infinity,
  });
  if (pet === null) return <li>{`${id}: no animal has this number`}</li>;
  return (
    <Group component="li" gap="xs" mih={32}>
      <PetLink id={id} replace>
        <span>{String(id)}</span> <bdi translate="no">{pet?.name}</bdi>
      </PetLink>
      {!isPending && pet && <span>{` ${statusLabels[pet.status]}`}</span>}
    </Group>
  );
}

/** Browsers offer the camera on https and on this computer only. */
const hasCamera = () => 'mediaDevices' in navigator;

const intervalMs = 150;

/** Shows the camera in a video element, and reports the text of each code that it sees. */
function useCamera(isOn: boolean, onText: (text: string) => void) {
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
async function readPhoto(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file);
  const read = await createReader();
  return read(picture);
}
