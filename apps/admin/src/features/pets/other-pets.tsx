import type { PetPage } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { formatCount } from '../../shared/format.js';
import { ChevronLeftIcon, ChevronRightIcon } from '../../shared/icons.js';
import { findPets, findSamePets, refreshKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { ButtonLink, PetLink } from '../../shared/links.js';
import { LoadingRows, Section } from '../../shared/page.js';
import { PetTable } from '../../shared/pet-table.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type ListSearch, nextPage, previousPage } from './list-search.js';
import { PetName, StatusBadge } from './pet-parts.js';
import partClasses from './pet-parts.module.css';
import { petListQuery, petQuery } from './pet-queries.js';
import classes from './pet-details.module.css';

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

export const shownRelatives = 8;
const relativeFields = ['id', 'name', 'status'] as const;

/** Other animals with the same name, and of the same category, among those that this device knows. */
export function Relatives({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const { searched, updatedAt } = useKnownPets();
  useEffect(() => void refreshKnownPets(), []);
  const { data } = useQuery({
    queryKey: ['known', 'relatives', String(pet.id), searched, updatedAt],
    queryFn: async () => ({
      ofCategory: await findPets({ categories: [pet.categoryId] }, { limit: shownRelatives + 1 }),
      same: await findSamePets(pet.name, pet.categoryId),
    }),
    placeholderData: keepPreviousData,
  });
  const category = names.get(pet.categoryId) ?? `category ${pet.categoryId}`;
  const others = data?.ofCategory.pets.filter(({ id }) => id !== pet.id).slice(0, shownRelatives) ?? [];
  const same = data?.same.filter(({ id }) => id !== pet.id).slice(0, shownRelatives) ?? [];
  const isAlone = updatedAt !== undefined && others.length === 0;
  return (
    <>
      <RelativeList
        title={`Others of ${category}`}
        pets={others}
        note={isAlone ? `No other animal is in ${category}.` : undefined}
      >
        {data && others.length > 0 && (
          <Link to="/pets" search={{ category: [String(pet.categoryId)] }}>
            Show all {formatCount(data.ofCategory.count)}
          </Link>
        )}
      </RelativeList>
      {same.length > 0 && <RelativeList title="Same name" pets={same} />}
    </>
  );
}

interface RelativeListProps {
  title: string;
  pets: readonly Pet[];
  /** Why there are none. Without it, they are still being read. */
  note?: string | undefined;
  children?: ReactNode;
}

function RelativeList({ title, pets, note, children }: RelativeListProps) {
  return (
    <Section title={title} aside={children} className={classes.relatives}>
      {pets.length > 0 && (
        <PetTable
          pets={pets}
          fields={relativeFields}
          customCells={({ id, name, status }) => ({
            name: (
              <PetLink id={id} className={partClasses.rowLink}>
                <PetName name={name} />
              </PetLink>
            ),
            status: <StatusBadge status={status} />,
          })}
        />
      )}
      {pets.length === 0 && (note === undefined ? <LoadingRows count={shownRelatives} isPlain /> : <p>{note}</p>)}
    </Section>
  );
}
