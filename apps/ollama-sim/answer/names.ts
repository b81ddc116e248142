const LISTED = `
  Ada Alma Amir Anouk Arne Asha Aurora Bela Bram Carmen Cleo Cyrus Dahlia Dario Dilan Edda
  Elias Elif Enzo Esra Farah Felix Fiona Flora Gideon Greta Hana Hugo Ida Ilya Imani Ines
  Iris Ivo Jada Jonas Juno Kaia Kenji Kiran Lara Leander Lena Linus Luca Maeve Malik Marta
  Mateo Mina Nadia Nikos Noor Odile Olga Omar Oskar Paloma Petra Priya Quentin Rafael Rhea Rosa
  Ruben Sana Selma Silas Sofia Stellan Tamar Tariq Thea Tomas Uma Vera Viktor Willa Yara Zeno
`;

/** First names a simulated player may choose. */
export const FIRST_NAMES: readonly string[] = LISTED.trim().split(/\s+/);
