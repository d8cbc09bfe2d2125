import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { readLastList } from './last-list.js';
import { petListQuery, petQuery } from './pet-queries.js';
import classes from './pets.module.css';

/** Links to the animals before and after this one. */
export function Neighbors({ id }: { id: bigint }) {
  const isFromList = useLocation({ select: ({ state }) => state.isFromList ?? false });
  const { previous, next } = useNeighbors(id, isFromList);
  // Keeps the way back to the list.
  const state = { isFromList };
  return (
    <nav aria-label="Other animals" className={classes.neighbors}>
      <NeighborLink id={previous} state={state} leftSection={<ChevronLeftIcon />}>
        Previous
      </NeighborLink>
      <NeighborLink id={next} state={state} rightSection={<ChevronRightIcon />}>
        Next
      </NeighborLink>
    </nav>
  );
}

interface NeighborLinkProps {
  id: bigint | undefined;
  state: { isFromList: boolean };
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  children: string;
}

/** Replaces the entry in the history: Back leads to the list. It stays focusable while there is no neighbor. */
function NeighborLink({ id, ...button }: NeighborLinkProps) {
  const target = { to: '/pets/$petId', params: { petId: String(id) }, replace: true } as const;
  return <ButtonLink {...target} disabled={id === undefined} tabIndex={0} variant="default" {...button} />;
}

/** In the order of the list that the person came from. An animal that is not in it has those with the next numbers. */
function useNeighbors(id: bigint, isFromList: boolean): { previous?: bigint | undefined; next?: bigint | undefined } {
  const queryClient = useQueryClient();
  const { data: list, isPending } = useQuery({ ...petListQuery(readLastList()), enabled: isFromList });
  const index = list?.pets.findIndex((pet) => pet.id === id) ?? -1;
  const isOutside = index === -1 && !(isFromList && isPending);
  const lower = useQuery({ ...petQuery(id - 1n, queryClient), enabled: isOutside && id > 1n });
  const higher = useQuery({ ...petQuery(id + 1n, queryClient), enabled: isOutside });
  if (index !== -1) return { previous: list?.pets[index - 1]?.id, next: list?.pets[index + 1]?.id };
  return { previous: lower.data?.id, next: higher.data?.id };
}
