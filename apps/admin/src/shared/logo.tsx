/** The mark of the store; index.html and the favicon have the same. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0f7558" />
      <g fill="#f4fbf7">
        <ellipse cx="8.6" cy="15" rx="2.3" ry="3" transform="rotate(-24 8.6 15)" />
        <ellipse cx="13" cy="9.8" rx="2.4" ry="3.3" transform="rotate(-8 13 9.8)" />
        <ellipse cx="19" cy="9.8" rx="2.4" ry="3.3" transform="rotate(8 19 9.8)" />
        <ellipse cx="23.4" cy="15" rx="2.3" ry="3" transform="rotate(24 23.4 15)" />
        <path d="M16 25.6c-3.7-2.2-6.2-4-6.2-6.6a3.2 3.2 0 0 1 6.2-1.1 3.2 3.2 0 0 1 6.2 1.1c0 2.6-2.5 4.4-6.2 6.6z" />
      </g>
    </svg>
  );
}
