/** A set of line numbers. A bit for each line takes 125 kB per million lines; a `Set` would take 40 MB. */
export class LineSet {
  private bits = new Uint8Array(1024);

  add(line: number): void {
    const index = line >> 3;
    if (index >= this.bits.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[index] = (this.bits[index] ?? 0) | (1 << (line & 7));
  }

  has(line: number): boolean {
    return ((this.bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}
