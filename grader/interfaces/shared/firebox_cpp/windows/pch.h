// What projects of Visual Studio precompile: nothing here. Agents include it first.
