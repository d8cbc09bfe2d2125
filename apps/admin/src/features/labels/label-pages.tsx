import type { Pet } from '@petstore/contracts';
import type { CSSProperties } from 'react';
import { useCategoryNames } from '../../shared/store-info.js';
import { Label } from './label.js';
import { type LabelSize, labelsPerPage, pageSize } from './label-sizes.js';
import classes from './labels.module.css';

interface LabelPagesProps {
  pets: readonly Pick<Pet, 'id' | 'name' | 'categoryId'>[];
  size: LabelSize;
  /** Prints the edge of each label. */
  hasOutlines: boolean;
}

/** What is printed, in its real size. Everything else on the page is hidden on paper. */
export function LabelPages({ pets, size, hasOutlines }: LabelPagesProps) {
  const { names } = useCategoryNames();
  const { width, height, sheet } = size;
  const style = {
    '--width': `${width}mm`,
    '--height': `${height}mm`,
    '--columns': sheet?.columns ?? 1,
    '--rows': sheet?.rows ?? 1,
    '--column-gap': `${sheet?.columnGap ?? 0}mm`,
  } as CSSProperties;
  return (
    <div className={classes.pages} style={style} data-outlines={hasOutlines || undefined} data-sheet={sheet && true}>
      <style>{`@page { size: ${pageSize(size)}; margin: 0 }`}</style>
      {pagesOf(pets, labelsPerPage(size)).map(({ number, labels }) => (
        <ul key={number} className={classes.page} aria-label={`Page ${number}`}>
          {labels.map(({ position, pet }) => (
            <Label key={position} pet={pet} category={names.get(pet.categoryId) ?? `Category ${pet.categoryId}`} />
          ))}
        </ul>
      ))}
    </div>
  );
}

/** Numbered by position: an animal can have several labels. */
function pagesOf<T>(pets: readonly T[], perPage: number): { number: number; labels: { position: number; pet: T }[] }[] {
  const labels = pets.map((pet, position) => ({ position, pet }));
  return Array.from({ length: Math.ceil(labels.length / perPage) }, (_, page) => ({
    number: page + 1,
    labels: labels.slice(page * perPage, (page + 1) * perPage),
  }));
}
