import type { PetPage } from '@petstore/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../shared/links.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { type ListSearch, nextPage, previousPage } from './list-search.js';
import { petListQuery, petQuery } from './pet-queries.js';
import classes from './pets.module.css';

/** Links to the animals before and after this one. */
export function Neighbors({ id }: { id: bigint }) {
  const list = useLocation({ select: ({ state }) => state.list });
  const inList = useListNeighbors(id, list);
  const byNumber = useNumberNeighbors(id, !inList.isListed);
  const { previous, next } = inList.isListed ? inList : byNumber;
  return (
    <nav aria-label="Other animals" className={classes.neighbors}>
      <NeighborLink neighbor={previous} rel="prev" leftSection={<ChevronLeftIcon />}>
        Previous
      </NeighborLink>
      <NeighborLink neighbor={next} rel="next" rightSection={<ChevronRightIcon />}>
        Next
      </NeighborLink>
    </nav>
  );
}

interface Neighbor {
  id: bigint | undefined;
  /** The list page that has the neighbor, if it is another one. */
  list?: ListSearch | undefined;
}

interface NeighborLinkProps {
  neighbor: Neighbor;
  rel: 'prev' | 'next';
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  children: string;
}

/** Replaces the entry in the history: Back leads to the list. It stays focusable while there is no neighbor. */
function NeighborLink({ neighbor, ...button }: NeighborLinkProps) {
  const { list: currentList, isFromList } = useLocation({ select: ({ state }) => state });
  const { id, list = currentList } = neighbor;
  const target = { to: '/pets/$petId', params: { petId: String(id) }, replace: true } as const;
  const isSamePage = list?.after === currentList?.after;
  return (
    <ButtonLink
      {...target}
      state={{ ...(list && { list }), isFromList: Boolean(isFromList && isSamePage) }}
      disabled={id === undefined}
      tabIndex={0}
      variant="default"
      size="sm"
      {...button}
    />
  );
}

/** In the order of the list that the person came from, also over the borders of its pages. */
function useListNeighbors(id: bigint, list: ListSearch | undefined) {
  const { data, isLoading } = useListPage(list);
  const { index, pageBefore, pageAfter } = positionOf(id, list, data);
  const before = useListPage(pageBefore).data?.pets.at(-1);
  const after = useListPage(pageAfter).data?.pets[0];
  return {
    /** Whether the list has the animal. Until the answer, it may have it. */
    isListed: index !== -1 || isLoading,
    previous: pageBefore ? { id: before?.id, list: pageBefore } : { id: data?.pets[index - 1]?.id },
    next: pageAfter ? { id: after?.id, list: pageAfter } : { id: data?.pets[index + 1]?.id },
  };
}

/** The position on the list page. For the first and the last animal, also the page of its neighbor. */
function positionOf(id: bigint, list: ListSearch | undefined, data: PetPage | undefined) {
  const index = data?.pets.findIndex((pet) => pet.id === id) ?? -1;
  if (!list || !data || index === -1) return { index };
  const isLast = index === data.pets.length - 1;
  const pageBefore = index === 0 ? previousPage(list) : undefined;
  const pageAfter = isLast && data.next !== undefined ? nextPage(list, data.next) : undefined;
  return { index, pageBefore, pageAfter };
}

function useListPage(search: ListSearch | undefined) {
  const { data, isLoading } = useQuery({ ...petListQuery(search ?? {}), enabled: search !== undefined });
  return { data: search && data, isLoading };
}

/** The animals with the next numbers, if they exist. */
function useNumberNeighbors(id: bigint, enabled: boolean): Record<'previous' | 'next', Neighbor> {
  const queryClient = useQueryClient();
  const lower = useQuery({ ...petQuery(id - 1n, queryClient), enabled: enabled && id > 1n });
  const higher = useQuery({ ...petQuery(id + 1n, queryClient), enabled });
  return { previous: { id: lower.data?.id }, next: { id: higher.data?.id } };
}
