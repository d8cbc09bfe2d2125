/** The drawing is in index.html, which shows it first. */
export function Logo() {
  return (
    <svg width="32" height="32" aria-hidden="true">
      <use href="#logo" />
    </svg>
  );
}
