import { expect, it } from 'vitest';
import { placeOf } from '../../src/service/serve-app.js';

it.each([
  ['postgresql://clerk:s3cret@db.example.com:5433/store?sslmode=require', 'store on db.example.com:5433'],
  ['postgresql://clerk:s3cret@[::1]/my%20store', 'my store on [::1]'],
  ['postgresql://clerk:s3cret@localhost/store?host=/run/postgresql', 'store on /run/postgresql'],
  ['postgresql://clerk:s3cret@localhost', 'localhost'],
])('the database of %s is printed as %s', (url, place) => {
  expect(placeOf(url)).toBe(place);
});
