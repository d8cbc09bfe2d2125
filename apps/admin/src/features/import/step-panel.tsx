import { Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './import.module.css';

/** A step of the import. Its heading takes the focus if the step before contained it. */
export function StepPanel({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack
      component="section"
      align="flex-start"
      p="clamp(1rem, 4vw, 2rem)"
      className={`panel ${classes.step}`}
      aria-label={title}
    >
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {children}
    </Stack>
  );
}
