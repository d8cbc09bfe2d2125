import { Alert, Button } from '@mantine/core';
import { PetstoreApiError } from '@petstore/client';
import type { ReactNode } from 'react';
import { errorMessage } from './error-messages.js';
import { AlertIcon, RefreshIcon } from './icons.js';
import classes from './shared.module.css';
import { useFocusFallback } from './use-focus-fallback.js';

interface ErrorNoticeProps {
  error: unknown;
  /** Replaces the title that belongs to the error. */
  title?: string;
  /** What the person tried to do, for example "add animals". */
  action?: string;
  /** Adds a "Try again" button. */
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  children?: ReactNode;
}

export function ErrorNotice({ error, title, action = 'see animals', onRetry, isRetrying, children }: ErrorNoticeProps) {
  const text = errorMessage(error, action);
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Alert ref={ref} color="red" icon={<AlertIcon />} title={title ?? text.title}>
      <p className={classes.text}>{text.message}</p>
      {children}
      <ErrorDetails error={error} />
      {onRetry && (
        <Button variant="default" leftSection={<RefreshIcon />} onClick={onRetry} aria-disabled={isRetrying}>
          {isRetrying ? 'Trying again…' : 'Try again'}
        </Button>
      )}
    </Alert>
  );
}

/** For support: the message of the service, and the request id, which is also in its log. */
export function ErrorDetails({ error }: { error: unknown }) {
  return (
    <details className={classes.details}>
      <summary>Details</summary>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {error instanceof PetstoreApiError && error.requestId && (
        <p>
          Request id <code>{error.requestId}</code>
        </p>
      )}
    </details>
  );
}
