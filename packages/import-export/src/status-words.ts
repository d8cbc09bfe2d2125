import { foldName, type PetStatus, petStatuses } from '@petstore/contracts';

/**
 * Words for a status in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. A word that means something
 * else in one of them is missing: "free" can be a price, "soldé" is reduced.
 */
export const statusWords: Record<PetStatus, string> = {
  available:
    'available, in stock, for sale, verfügbar, verfuegbar, vorrätig, vorraetig, auf Lager, zu verkaufen, disponible, ' +
    'disponibles, dispo, en stock, à vendre, en vente, en venta, a la venta, disponibile, disponibili, in vendita, ' +
    'beschikbaar, op voorraad, te koop, disponível, disponíveis, em stock, em estoque, à venda, dostępny, dostępna, ' +
    'dostępne, dostępni, na sprzedaż, do sprzedania',
  pending:
    'pending, reserved, on hold, under offer, sale pending, reserviert, vorgemerkt, ausstehend, réservé, réservée, ' +
    'réservés, réservées, en attente, reservado, reservada, reservados, reservadas, pendiente, pendientes, en espera, ' +
    'riservato, riservata, riservati, riservate, prenotato, prenotata, prenotati, prenotate, in attesa, gereserveerd, ' +
    'in afwachting, in optie, pendente, pendentes, em espera, zarezerwowany, zarezerwowana, zarezerwowane, ' +
    'zarezerwowani, oczekujący, oczekująca, oczekujące',
  sold:
    'sold, verkauft, vendu, vendue, vendus, vendues, vendido, vendida, vendidos, vendidas, venduto, venduta, venduti, ' +
    'vendute, verkocht, sprzedany, sprzedana, sprzedane, sprzedani',
};

const statuses = new Map(
  petStatuses.flatMap((status) => statusWords[status].split(', ').map((word) => [foldWord(word), status] as const)),
);

/** The status that a text names. */
export function statusOf(text: string): PetStatus | undefined {
  return statuses.get(foldWord(text));
}

/** A text of which only letters and digits count, and neither their case nor their accents. */
export function foldWord(text: string): string {
  return foldName(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
