import { Button, type ButtonProps } from '@mantine/core';
import { createLink, Link, type LinkProps, useLocation, useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react';
import { BookIcon, ChevronLeftIcon, Logo, PlusIcon, UploadIcon } from './icons.js';
import { type ListSearch, readLastList } from './list-search.js';
import { EmptyState } from './page.js';
import { useCanAdd } from './store-info.js';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list page that has the animal, if the person came from the list. */
    list?: ListSearch;
    /** Whether the entry before this one in the history of the tab is that page. */
    isFromList?: boolean;
    /** The cells that an import opens with. */
    cells?: string;
  }
}

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

function AnchorButton({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" ref={ref} {...props} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(AnchorButton);

/** A quiet button with an icon only. */
export const iconButton = { variant: 'subtle', c: 'inherit', w: 44, h: 44, p: 0 } as const;

export interface PetLinkProps extends Pick<LinkProps, 'preload' | 'replace' | 'resetScroll' | 'state'> {
  id: bigint | string;
  children: ReactNode;
  className?: string | undefined;
  /** For a link that covers a text that is cut. */
  title?: string;
}

/** Leads to the page of an animal. */
export function PetLink({ id, ...props }: PetLinkProps) {
  return <Link to="/pets/$petId" params={{ petId: String(id) }} {...props} />;
}

/** Whether the browser opens a link elsewhere, for example in a new tab. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

interface AddLinkProps {
  children: string;
  size?: 'sm' | 'md';
  /** Narrower screens do not show it. */
  visibleFrom?: 'md';
}

/** Opens the form. Only people who may add animals see it. It takes its space before that is known. */
export function AddLink({ children, ...button }: AddLinkProps) {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <ButtonLink
      to="/pets/new"
      state={{ isFromList: true }}
      leftSection={<PlusIcon />}
      style={{ visibility: canAdd ? 'visible' : 'hidden' }}
      {...button}
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
