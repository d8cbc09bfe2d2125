import { Alert, Box, Button } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { PetstoreApiError } from '@petstore/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isForeignAnswer } from './client.js';
import { useFocusFallback } from './focus.js';
import { formatTime } from './format.js';
import { AlertIcon, RefreshIcon } from './icons.js';

interface ErrorNoticeProps {
  error: unknown;
  title?: string;
  /** What the person tried to do, for example "add animals". */
  action?: string;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  children?: ReactNode;
}

export function ErrorNotice({ error, title, action = 'see animals', onRetry, isRetrying, children }: ErrorNoticeProps) {
  const { title: fault, message } = errorMessage(error, action);
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Alert ref={ref} color="red" icon={<AlertIcon />} title={title ?? fault}>
      <p>{title === undefined || title === fault ? message : `${fault}. ${message}`}</p>
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

interface ReadProblemProps {
  query: Pick<UseQueryResult, 'error' | 'dataUpdatedAt' | 'isFetching'>;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
}

/** Why a page could not be read or refreshed. While the device is offline, the layout says so. */
export function ReadProblem({ query: { error, dataUpdatedAt, isFetching }, onRetry, children }: ReadProblemProps) {
  const { online } = useNetwork();
  if (!error || (!online && !(error instanceof PetstoreApiError))) return null;
  return (
    <Box mb="md">
      <ErrorNotice error={error} onRetry={onRetry} isRetrying={isFetching}>
        {dataUpdatedAt > 0 && <p>{`What you see below is from ${formatTime(dataUpdatedAt)}.`}</p>}
        {children}
      </ErrorNotice>
    </Box>
  );
}

/** For support: the message of the service, and the request id, which is also in its log. */
export function ErrorDetails({ error }: { error: unknown }) {
  return (
    <details>
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

interface ErrorMessage {
  title: string;
  message: string;
}

/** The service does not tell which of the two. */
const wrongKey = {
  title: "This key isn't valid, or no longer valid",
  message: 'Check it, or ask your manager for a new one.',
};

const noAnswer = {
  title: "Petstore doesn't answer",
  message: 'Petstore may be stopped or restarting. Try again in a minute. If it happens again, tell your manager.',
};

const offline = { title: "You're offline", message: "Check this device's network connection, then try again." };

/** By error code, or by error name if there was no answer. */
const messages: Partial<Record<string, ErrorMessage>> = {
  missing_api_key: wrongKey,
  invalid_api_key: wrongKey,
  invalid_cursor: {
    title: "This page of the list isn't available",
    message: 'Go to the newest animals and continue from there.',
  },
  idempotency_key_in_use: {
    title: "We couldn't confirm that the animal was added",
    message: 'Wait a few seconds, then try again.',
  },
  rate_limited: { title: 'Too many attempts', message: 'Wait a minute, then try again.' },
  service_unavailable: { title: "Petstore isn't available right now", message: 'Wait a moment, then try again.' },
  PetstoreNetworkError: noAnswer,
  PageNotLoaded: noAnswer,
  PetstoreTimeoutError: { title: 'No response', message: 'Petstore took too long to respond. Try again.' },
};

/** In a new tab, the browser shows what answered, and this page keeps its work. */
const foreignAnswer: ErrorMessage = {
  title: "This answer isn't from Petstore",
  message:
    'Petstore may be restarting, or this network asks you to sign in. Wait a moment, then try again. If that does not help, open Petstore in a new tab, sign in to the network there, and try again here.',
};

const unknownError: ErrorMessage = {
  title: 'Something went wrong',
  message: 'Try again. If it happens again, tell your manager.',
};

/** What staff read about an error. `action` completes "You don't have permission to …". */
export function errorMessage(error: unknown, action: string): ErrorMessage {
  if (!(error instanceof Error)) return unknownError;
  if (isForeignAnswer(error)) return foreignAnswer;
  const code = error instanceof PetstoreApiError ? error.code : error.name;
  const message = messages[code] ?? unknownError;
  if (message === noAnswer && !navigator.onLine) return offline;
  if (code !== 'insufficient_scope') return message;
  return { title: `You don't have permission to ${action}`, message: 'Ask your manager.' };
}
