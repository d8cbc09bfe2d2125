import { Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { announce } from '../../shared/focus.js';
import { ArrowDownIcon, ArrowUpIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { type ListSearch, nextPage, previousPage } from '../../shared/list-search.js';
import { petListQuery } from '../../shared/pet-queries.js';

/** The animals before and after this one in the list that the person came from. They replace it in the history. */
export function NeighborLinks({ id }: { id: bigint }) {
  const list = useLocation({ select: ({ state }) => state.list });
  if (!list) return null;
  return (
    <Group component="nav" gap="xs" wrap="nowrap" className="compact" aria-label="Animals of the list">
      <NeighborLink id={id} list={list} />
      <NeighborLink id={id} list={list} isNext />
    </Group>
  );
}

interface NeighborLinkProps {
  id: bigint;
  list: ListSearch;
  isNext?: boolean;
}

/** Without a neighbor, it stays focusable: the focus must not get lost. */
function NeighborLink({ id, list, isNext = false }: NeighborLinkProps) {
  const { pet, list: itsList } = useNeighbor({ id, list, isNext });
  const isOtherPage = useLocation({ select: ({ state }) => state.isOtherPage ?? false });
  return (
    <ButtonLink
      to="/pets/$petId"
      params={{ petId: String(pet?.id) }}
      // Back leads to the page of the list that the person left.
      state={{ list: itsList, isOtherPage: isOtherPage || itsList !== list }}
      replace
      resetScroll={false}
      disabled={!pet}
      tabIndex={0}
      variant="default"
      px={0}
      miw="var(--control-height)"
      aria-label={isNext ? 'Next animal' : 'Previous animal'}
      title={pet?.name}
      onClick={() => pet && announce(`${pet.name}, number ${pet.id}`)}
    >
      {isNext ? <ArrowDownIcon /> : <ArrowUpIcon />}
    </ButtonLink>
  );
}

/** The neighbor and its page of the list. Compares the numbers, which order the list: the animal itself may have left it. */
function useNeighbor({ id, list, isNext }: Required<NeighborLinkProps>): { pet: Pet | undefined; list: ListSearch } {
  const isHigher = isNext === (list.order === 'asc');
  const pick = (pets: readonly Pet[] = []) => {
    const found = pets.filter((pet) => pet.id !== id && pet.id > id === isHigher);
    return found.at(isNext ? 0 : -1);
  };
  const page = useListPage(list);
  const near = pick(page?.pets);
  const following = page?.next === undefined ? undefined : nextPage(list, page.next);
  const otherList = near || !page ? undefined : isNext ? following : previousPage(list);
  const far = pick(useListPage(otherList)?.pets);
  return { pet: near ?? far, list: otherList ?? list };
}

function useListPage(list: ListSearch | undefined) {
  const { data } = useQuery({ ...petListQuery(list ?? {}), enabled: list !== undefined });
  // A disabled query still returns what the cache has.
  return list && data;
}
