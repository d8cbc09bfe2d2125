import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';

interface StepPanelProps {
  title: string;
  back?: { label: string; go: () => void };
  bar?: ReactNode;
  children: ReactNode;
}

/** A step of the import. Its heading takes the focus if the step before contained it. */
export function StepPanel({ title, back, bar, children }: StepPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <Stack component="section" className="panel" aria-label={title}>
        <Group justify="space-between" gap="0 1rem">
          <h2 tabIndex={-1} ref={heading}>
            {title}
          </h2>
          {back && (
            <Button variant="subtle" size="compact-sm" mx={-8} onClick={back.go}>
              {back.label}
            </Button>
          )}
        </Group>
        {children}
      </Stack>
      {bar}
    </>
  );
}

interface ProblemProps {
  problem: unknown;
  onRetry?: () => void;
  /** What it means for the import. */
  children: string;
}

/** Why the service could not do what the import needs. */
export function Problem({ problem, onRetry, children }: ProblemProps) {
  if (problem === undefined) return null;
  if (isImportError(problem)) return <Alert color="red">{problem.message}</Alert>;
  return (
    <ErrorNotice error={problem} action="add animals" {...(onRetry && { onRetry })}>
      <p>{children}</p>
    </ErrorNotice>
  );
}

/** Whether a person gets the message: an error of the worker keeps its name, and not its class. */
export function isImportError(problem: unknown): problem is Error {
  return problem instanceof Error && problem.name === 'ImportError';
}
