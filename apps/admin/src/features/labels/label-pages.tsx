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
      {pagesOf(pets, labelsPerPage(size)).map((page, index) => (
        <ul key={index} className={classes.page} aria-label={`Page ${index + 1}`}>
          {page.map((pet, position) => (
            <Label key={position} pet={pet} category={names.get(pet.categoryId) ?? `Category ${pet.categoryId}`} />
          ))}
        </ul>
      ))}
    </div>
  );
}

function pagesOf<T>(items: readonly T[], perPage: number): T[][] {
  const count = Math.ceil(items.length / perPage);
  return Array.from({ length: count }, (_, page) => items.slice(page * perPage, (page + 1) * perPage));
}
