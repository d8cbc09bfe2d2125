import type { Pet } from '@petstore/contracts';
import classes from './labels.module.css';
import { QrCode } from './qr-code.js';

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
