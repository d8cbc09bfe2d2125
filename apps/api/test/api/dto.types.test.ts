import type { ErrorBody, ListPetsQuery, NewPet, Pet } from '@petstore/contracts';
import { expectTypeOf, it } from 'vitest';
import type { ListPetsQueryDto } from '../../src/features/pets/list-pets.dto.js';
import type { NewPetDto, PetDto } from '../../src/features/pets/pet.dto.js';
import type { ErrorDto } from '../../src/platform/http/docs/api-responses.js';

// The type checker tests this: a missing, additional or different member does not compile.
it('the DTO classes equal the types of the contract', () => {
  expectTypeOf<NewPetDto>().toEqualTypeOf<NewPet>();
  expectTypeOf<PetDto>().toEqualTypeOf<Pet>();
  expectTypeOf<ListPetsQueryDto>().toEqualTypeOf<ListPetsQuery>();
  expectTypeOf<ErrorDto>().toEqualTypeOf<ErrorBody>();
});
