import { Button } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import type { CSSProperties } from 'react';
import { encode } from 'uqr';
import { PrinterIcon } from '../../shared/icons.js';
import { useCategoryNames } from '../../shared/store-info.js';
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

/** Phones and scanners need a margin of four modules. */
const border = 4;

interface LabelProps {
  pet: Pick<Pet, 'id' | 'name' | 'categoryId'>;
  /** The name of the category, or its number if it has none. */
  category: string;
}

/** A cage card. Its code is the address of the animal's page. */
function Label({ pet: { id, name }, category }: LabelProps) {
  return (
    <li className={classes.label}>
      <QrCode text={`${location.origin}/pets/${id}`} label={`QR code of animal ${id}`} />
      <div className={classes.text}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.number}>{String(id)}</span>
        <bdi className={classes.category}>{category}</bdi>
      </div>
    </li>
  );
}

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')} />
    </svg>
  );
}

export function PrintButton({ isReady, children }: { isReady: boolean; children: string }) {
  return (
    <Button leftSection={<PrinterIcon />} aria-disabled={!isReady} onClick={() => isReady && print()}>
      {children}
    </Button>
  );
}
