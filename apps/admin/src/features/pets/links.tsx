import { useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { BookIcon, ChevronLeftIcon, Logo, PlusIcon, UploadIcon } from '../../shared/icons.js';
import { ButtonLink, opensElsewhere } from '../../shared/links.js';
import { EmptyState } from '../../shared/page.js';
import { useCanAdd } from '../../shared/store-info.js';
import { type ListSearch, readLastList } from './list-search.js';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list page that has the animal, if the person came from the list. */
    list?: ListSearch;
    /** Whether the entry before this one in the history of the tab is that page. */
    isFromList?: boolean;
  }
}

interface LinkProps {
  children: string;
  className?: string | undefined;
  size?: 'sm' | 'md';
}

/** Opens the form. Only people who may add animals see it. It takes its space before that is known. */
export function AddLink({ children, className, size = 'md' }: LinkProps) {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <ButtonLink
      to="/pets/new"
      size={size}
      state={{ isFromList: true }}
      leftSection={<PlusIcon />}
      style={{ visibility: canAdd ? 'visible' : 'hidden' }}
      {...(className && { className })}
    >
      {children}
    </ButtonLink>
  );
}

/** What to do in a store without animals. */
export function FirstDay() {
  return (
    <EmptyState
      icon={<Logo />}
      title="Your store has no animals yet"
      actions={
        <>
          <AddLink>Add the first animal</AddLink>
          {useCanAdd() && (
            <ButtonLink to="/import" variant="default" leftSection={<UploadIcon />}>
              Import animals
            </ButtonLink>
          )}
          <ButtonLink to="/guide" variant="default" leftSection={<BookIcon />}>
            Read the guide
          </ButtonLink>
        </>
      }
    >
      Add them one by one, or import a list from a spreadsheet.
    </EmptyState>
  );
}

/** Back to the list as it was, with its scroll position if the person came from there. */
export function BackLink() {
  const { history } = useRouter();
  const { isFromList, list = readLastList() } = useLocation({ select: ({ state }) => state });
  const goBack = (event: MouseEvent) => {
    if (!isFromList || opensElsewhere(event)) return;
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
