import type { Pet } from '@petstore/contracts';
import { encode } from 'uqr';
import classes from './labels.module.css';

/** Phones and scanners need a margin of four modules. */
const border = 4;

interface LabelProps {
  pet: Pick<Pet, 'id' | 'name' | 'categoryId'>;
  /** The name of the category, or its number if it has none. */
  category: string;
}

/** A cage card. Its code is the address of the animal's page. */
export function Label({ pet: { id, name }, category }: LabelProps) {
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
