import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { RefreshIcon } from '../../shared/icons.js';
import classes from './pets.module.css';

interface ListAgeProps {
  /** When the list was read, in milliseconds since 1970. */
  readAt: number;
  onRefresh: () => void;
  isRefreshing: boolean;
}

/** How old the list is, and a way to a younger one. */
export function ListAge({ readAt, onRefresh, isRefreshing }: ListAgeProps) {
  const now = useNow();
  const time = new Date(readAt);
  const minutes = Math.floor((now - readAt) / 60_000);
  return (
    <span className={classes.age}>
      <time dateTime={time.toISOString()} title={minutes < 1 ? undefined : time.toLocaleString()}>
        As of {ageOf(minutes, time)}
      </time>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<RefreshIcon />}
        onClick={onRefresh}
        aria-busy={isRefreshing}
      >
        Refresh
      </Button>
    </span>
  );
}

function ageOf(minutes: number, time: Date): string {
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
