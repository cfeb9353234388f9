export async function ends() {}
export async function reading() {}
