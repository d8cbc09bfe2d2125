import classes from './pets.module.css';

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name as it was given, without harm to what stands beside it: any text is a name, such as marks that turn its direction. */
export function PetName({ name }: { name: string }) {
  if (!visible.test(name)) return <span className={classes.nameless}>(a name that cannot be seen)</span>;
  return <bdi className={classes.name}>{name}</bdi>;
}

/** The same as plain text, for titles. */
export function plainName(name: string): string {
  return visible.test(name) ? `\u2068${name}\u2069` : 'An animal';
}
