import { Group } from '@mantine/core';
import { useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { ChevronLeftIcon, PlusIcon, UploadIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { useCanAdd } from '../../shared/store-info.js';
import { type ListSearch, readLastList } from './list-search.js';
import classes from './pets.module.css';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list page that has the animal, if the person came from the list. */
    list?: ListSearch;
    /** Whether the entry before this one in the history of the tab is that page. */
    isFromList?: boolean;
  }
}

/** Opens the form. Only people who may add animals see it. */
export function AddLink({ children }: { children: string }) {
  return useCanAdd() ? <FormLink>{children}</FormLink> : null;
}

/** One animal, or many. Takes its space before the answer, so that the page does not move. */
export function AddLinks() {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <Group gap="sm" className={classes.addLinks} style={{ visibility: canAdd ? 'visible' : 'hidden' }}>
      <ButtonLink to="/import" variant="default">
        Import animals
      </ButtonLink>
      <FormLink>Add animal</FormLink>
    </Group>
  );
}

/** In the toolbar of a phone, which has no space for the links above it. */
export function ImportIconLink() {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <ButtonLink
      to="/import"
      variant="subtle"
      style={{ visibility: canAdd ? 'visible' : 'hidden' }}
      className={`${classes.iconButton} ${classes.phoneOnly}`}
      aria-label="Import animals"
      title="Import animals"
    >
      <UploadIcon />
    </ButtonLink>
  );
}

function FormLink({ children }: { children: string }) {
  return (
    <ButtonLink to="/pets/new" state={{ isFromList: true }} leftSection={<PlusIcon />}>
      {children}
    </ButtonLink>
  );
}

/** Back to the list as it was, with its scroll position if the person came from there. */
export function BackLink() {
  const { history } = useRouter();
  const { isFromList, list = readLastList() } = useLocation({ select: ({ state }) => state });
  const goBack = (event: MouseEvent) => {
    if (!isFromList || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.back();
  };
  return (
    <ButtonLink
      to="/pets"
      search={list}
      variant="subtle"
      leftSection={<ChevronLeftIcon />}
      m="-0.75rem 0 0.25rem -1.25rem"
      onClick={goBack}
    >
      Animals
    </ButtonLink>
  );
}
