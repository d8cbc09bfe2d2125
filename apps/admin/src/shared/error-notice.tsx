import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeError } from './describe-error.js';
import { AlertIcon, RefreshIcon } from './icons.js';
import classes from './shared.module.css';
import { useFocusHeir } from './use-focus-heir.js';

interface ErrorNoticeProps {
  error: unknown;
  /** Instead of what kind of error it was. */
  title?: string;
  /** Offered as "Try again". */
  onRetry?: () => void;
  /** Whether it is being tried again. */
  isRetrying?: boolean;
  /** More to say or to do. */
  children?: ReactNode;
}

export function ErrorNotice({ error, title, onRetry, isRetrying = false, children }: ErrorNoticeProps) {
  const description = describeError(error);
  const ref = useFocusHeir<HTMLDivElement>();
  return (
    <Alert ref={ref} color="red" variant="light" role="alert" icon={<AlertIcon />} title={title ?? description.title}>
      <p className={classes.text}>{description.message}</p>
      {children}
      {description.requestId !== undefined && (
        <p className={classes.quiet}>
          Request id <code>{description.requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button variant="default" leftSection={<RefreshIcon />} onClick={onRetry} aria-disabled={isRetrying}>
          {isRetrying ? 'Trying again…' : 'Try again'}
        </Button>
      )}
    </Alert>
  );
}
