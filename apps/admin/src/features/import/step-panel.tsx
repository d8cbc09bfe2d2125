import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './import.module.css';

interface StepPanelProps {
  title: string;
  /** The way back. */
  back?: { label: string; go: () => void };
  /** `false` in some private windows: a reload loses the import. */
  isStored?: boolean;
  children: ReactNode;
}

/** A step of the import. Its heading takes the focus if the step before contained it. */
export function StepPanel({ title, back, isStored = true, children }: StepPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack component="section" p="clamp(1rem, 4vw, 2rem)" className="panel" aria-label={title}>
      <Group justify="space-between" gap="0 1rem">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        {back && (
          <Button variant="subtle" size="compact-md" mx={-11} onClick={back.go}>
            {back.label}
          </Button>
        )}
      </Group>
      {!isStored && (
        <p role="note" className="note">
          This browser cannot keep the import. If you reload or close the page, choose the file again.
        </p>
      )}
      {children}
    </Stack>
  );
}

interface StepBarProps {
  text?: ReactNode;
  /** Why the button cannot be used, or what it causes. */
  note: string;
  isReady: boolean;
  label: string;
  onNext: () => void;
}

/** The next step. At the bottom of the screen, also above a long table. */
export function StepBar({ text, note, isReady, label, onNext }: StepBarProps) {
  return (
    <Group className={classes.bar}>
      <div role="status">
        {text}
        <p className="note">{note}</p>
      </div>
      <Button aria-disabled={!isReady} onClick={() => isReady && onNext()}>
        {label}
      </Button>
    </Group>
  );
}
