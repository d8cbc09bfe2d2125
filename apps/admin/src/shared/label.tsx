import type { Pet } from '@petstore/contracts';
import type { CSSProperties } from 'react';
import { encode } from 'uqr';
import { readDeviceState, writeDeviceState } from './browser-storage.js';
import { categoryName } from './filter-search.js';
import classes from './label.module.css';
import type { CategoryNames } from './store-info.js';

/** In millimeters. */
export interface LabelSize {
  name: string;
  width: number;
  height: number;
  /** Labels on a sheet of paper. Without it, the labels are on a roll. */
  sheet?: { paper: keyof typeof papers; columns: number; rows: number; columnGap: number };
}

/** The sizes of sheets. The keys are the names of CSS. */
export const papers = { A4: { width: 210, height: 297 }, letter: { width: 215.9, height: 279.4 } };

const roll = (width: number, height: number): LabelSize => ({ name: `Roll, ${width} × ${height} mm`, width, height });
const onA4 = (columns: number, rows: number, columnGap: number) => ({ paper: 'A4' as const, columns, rows, columnGap });
const onLetter = (columns: number, rows: number, columnGap: number) => ({
  ...onA4(columns, rows, columnGap),
  paper: 'letter' as const,
});

/** The sizes of common products. On a sheet, the margins are what the labels leave, the same on both sides. */
const defaultSize = roll(62, 29);
export const labelSizes: Readonly<Record<string, LabelSize>> = {
  'roll-62x29': defaultSize,
  'roll-57x32': roll(57, 32),
  'roll-89x36': roll(89, 36),
  'sheet-21': { name: '21 on A4, 63.5 × 38.1 mm', width: 63.5, height: 38.1, sheet: onA4(3, 7, 2.5) },
  'sheet-24': { name: '24 on A4, 70 × 37 mm', width: 70, height: 37, sheet: onA4(3, 8, 0) },
  'sheet-14': { name: '14 on A4, 99.1 × 38.1 mm', width: 99.1, height: 38.1, sheet: onA4(2, 7, 2.5) },
  'sheet-8': { name: '8 on A4, 99.1 × 67.7 mm', width: 99.1, height: 67.7, sheet: onA4(2, 4, 2.5) },
  'letter-30': { name: '30 on US Letter (Avery 5160)', width: 66.675, height: 25.4, sheet: onLetter(3, 10, 3.175) },
  'letter-10': { name: '10 on US Letter (Avery 5163)', width: 101.6, height: 50.8, sheet: onLetter(2, 5, 4.7625) },
};

const storageName = 'petstore.label-size';

/** The size that this device used last. */
export function readSizeName(): string {
  const { size } = readDeviceState(storageName);
  return typeof size === 'string' && (labelSizes[size] ?? parseOwnSize(size)) ? size : 'roll-62x29';
}

export function sizeOf(name: string): LabelSize {
  return labelSizes[name] ?? parseOwnSize(name) ?? defaultSize;
}

/** In millimeters, of a side of a label. */
export const sideLimits = { min: 10, max: 200 };

const ownSize = /^own-(\d{2,3}(?:\.\d)?)x(\d{2,3}(?:\.\d)?)$/;

/** The name of a size that is not in the list. */
export function ownSizeName(width: string | number, height: string | number): string {
  return `own-${width}x${height}`.replaceAll(',', '.');
}

/** A label on a roll. `undefined` if a side is too short or too long. */
export function parseOwnSize(name: string): LabelSize | undefined {
  const [, ...sides] = ownSize.exec(name) ?? [];
  const [width = 0, height = 0] = sides.map(Number);
  const isPossible = [width, height].every((side) => side >= sideLimits.min && side <= sideLimits.max);
  return isPossible ? { name: `${width} × ${height} mm`, width, height } : undefined;
}

export function rememberSizeName(size: string): void {
  writeDeviceState(storageName, { size });
}

/** The number of labels on a page. */
export function labelsPerPage({ sheet }: LabelSize): number {
  return sheet ? sheet.columns * sheet.rows : 1;
}

/** For `@page`. The label fills the page of a roll. */
export function pageSize({ sheet, width, height }: LabelSize): string {
  return sheet ? `${sheet.paper} portrait` : `${width}mm ${height}mm`;
}

/** The size of the labels inside an element. */
export function labelStyle({ width, height }: LabelSize): CSSProperties {
  return { '--width': `${width}mm`, '--height': `${height}mm` } as CSSProperties;
}

interface LabelProps {
  pet: Pick<Pet, 'id' | 'name' | 'categoryId'>;
  names: CategoryNames;
}

/** A longer category may need three lines. The name then has two. */
const longCategory = 30;

/** A cage card in its real size. Its code is the address of the animal's page. */
export function Label({ pet: { id, name, categoryId }, names }: LabelProps) {
  const category = categoryName(categoryId, names);
  return (
    <div className={classes.label} translate="no" data-long={category.length > longCategory || undefined}>
      <QrCode text={`${location.origin}/pets/${id}`} label={`QR code of animal ${id}`} />
      <div className={classes.text}>
        <bdi className={classes.name} title={name}>
          {name}
        </bdi>
        <span className={classes.number}>{String(id)}</span>
        <bdi className={classes.category} title={category}>
          {category}
        </bdi>
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
