import type { Pet } from '@petstore/contracts';
import type { CSSProperties } from 'react';
import { encode } from 'uqr';
import classes from './label.module.css';
import type { LabelSize } from './label-sizes.js';
import type { CategoryNames } from './store-info.js';

/** The size of the labels inside an element. */
export function labelStyle({ width, height }: LabelSize): CSSProperties {
  return { '--width': `${width}mm`, '--height': `${height}mm` } as CSSProperties;
}

interface LabelProps {
  pet: Pick<Pet, 'id' | 'name' | 'categoryId'>;
  names: CategoryNames;
}

/** A cage card in its real size. Its code is the address of the animal's page. */
export function Label({ pet: { id, name, categoryId }, names }: LabelProps) {
  return (
    <div className={classes.label} translate="no">
      <QrCode text={`${location.origin}/pets/${id}`} label={`QR code of animal ${id}`} />
      <div className={classes.text}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.number}>{String(id)}</span>
        <bdi className={classes.category}>{names.get(categoryId) ?? `Category ${categoryId}`}</bdi>
      </div>
    </div>
  );
}

/** Phones and scanners need a margin of four modules. */
const border = 4;

function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')} />
    </svg>
  );
}
