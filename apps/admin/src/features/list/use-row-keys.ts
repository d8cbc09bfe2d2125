import type { Pet } from '@petstore/contracts';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { opensElsewhere } from '../../shared/links.js';
import { parsePetId } from '../../shared/pet-id.js';
import { selectRow } from './selection.js';

type Body = HTMLTableSectionElement;

/**
 * The rows are one stop of the Tab key. In them, ↑ ↓ Home and End move the focus, Enter opens the animal, and Space selects it.
 * One handler for all rows: a hundred router links would take longer than everything else in their rows.
 */
export function useRowKeys(pets: readonly Pet[]) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/pets' });
  const ref = useRef<Body>(null);
  const returnId = useReturnId();
  const [focusedId, setFocusedId] = useState(returnId);
  const isShown = pets.some(({ id }) => id === focusedId);
  useEffect(() => {
    const row = ref.current?.querySelector<HTMLElement>(`[href="/pets/${returnId}"]`);
    // The router restores the scroll position.
    row?.focus({ preventScroll: true });
  }, [returnId]);
  return {
    ref,
    currentId: isShown ? focusedId : pets[0]?.id,
    onFocus: (event: FocusEvent<Body>) => setFocusedId(pets[rowIndex(event)]?.id),
    onClick: (event: MouseEvent<Body>) => {
      const pet = pets[rowIndex(event)];
      if (!pet || opensElsewhere(event) || !isLink(event.target)) return;
      event.preventDefault();
      void navigate({ to: '/pets/$petId', params: { petId: String(pet.id) }, state: { list: search } });
    },
    onKeyDown: (event: KeyboardEvent<Body>) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const index = rowIndex(event);
      const target = targetOf(event.key, index, pets.length);
      const pet = pets[index];
      if (target !== undefined) {
        event.currentTarget.rows[target]?.querySelector('a')?.focus();
      } else if (pet && event.key === ' ' && isLink(event.target)) {
        selectRow(pets, pet.id, event.shiftKey);
      } else {
        return;
      }
      event.preventDefault();
    },
  };
}

function useReturnId(): bigint | undefined {
  const { state } = useRouter();
  // While the list appears, the router still has the page that was left.
  const [id] = useState(() => parsePetId(state.resolvedLocation?.pathname.replace('/pets/', '') ?? ''));
  return id;
}

function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null;
}

function rowIndex({ currentTarget, target }: { currentTarget: Body; target: EventTarget }): number {
  const row = target instanceof Element ? target.closest('tr') : null;
  return row ? [...currentTarget.rows].indexOf(row) : -1;
}

/** The row that a key leads to, of `count`. */
function targetOf(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(index - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
