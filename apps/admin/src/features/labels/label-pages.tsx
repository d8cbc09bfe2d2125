import type { Pet } from '@petstore/contracts';
import type { CSSProperties } from 'react';
import { Label, labelStyle, type LabelSize, labelsPerPage, pageSize, papers } from '../../shared/label.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './labels.module.css';

type LabelPet = Pick<Pet, 'id' | 'name' | 'categoryId'>;

interface LabelPagesProps {
  pets: readonly LabelPet[];
  size: LabelSize;
  hasOutlines?: boolean;
}

/** The printed pages, in their real size. Everything else on the page is hidden on paper. */
export function LabelPages({ pets, size, hasOutlines = false }: LabelPagesProps) {
  const { names } = useCategoryNames();
  const { sheet } = size;
  const perPage = labelsPerPage(size);
  // An animal can have several labels.
  const labels = pets.map((pet, position) => ({ pet, position }));
  const starts = labels.map(({ position }) => position).filter((position) => position % perPage === 0);
  const style = {
    ...labelStyle(size),
    ...(sheet && {
      '--columns': sheet.columns,
      '--rows': sheet.rows,
      '--column-gap': `${sheet.columnGap}mm`,
      '--sheet-width': `${papers[sheet.paper].width}mm`,
      '--sheet-height': `${papers[sheet.paper].height}mm`,
    }),
  } as CSSProperties;
  return (
    <div className={classes.pages} style={style} data-outlines={hasOutlines || undefined} data-sheet={sheet && true}>
      <style>{`@page { size: ${pageSize(size)}; margin: 0 }`}</style>
      {starts.map((start, page) => (
        <ul key={start} className={classes.page} aria-label={`Page ${page + 1}`}>
          {labels.slice(start, start + perPage).map(({ pet, position }) => (
            <li key={position}>
              <Label pet={pet} names={names} />
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

const sample = { id: 1n, name: 'Test label', categoryId: 1n };

/** One page, with the edges of the labels. */
export function TestPage({ size }: { size: LabelSize }) {
  return (
    <>
      <p>
        Print this page on plain paper and hold it against your labels. If the lines do not match, set the scale to 100
        %, the margins to none and the paper size to that of your labels in the print window.
      </p>
      <LabelPages pets={Array.from({ length: labelsPerPage(size) }, () => sample)} size={size} hasOutlines />
    </>
  );
}
