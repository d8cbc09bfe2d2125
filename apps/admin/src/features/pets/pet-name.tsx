import classes from './pets.module.css';

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name may contain any characters. `bdi` keeps right-to-left ones from changing the text around it. */
export function PetName({ name }: { name: string }) {
  if (!visible.test(name)) return <span className={classes.invisible}>(invisible name)</span>;
  return <bdi className={classes.name}>{name}</bdi>;
}

/** The name as plain text, isolated by Unicode characters. */
export function plainName(name: string): string {
  return visible.test(name) ? `\u2068${name}\u2069` : 'Animal';
}
